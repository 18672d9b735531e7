package dev.cagewright.supervisor.schema;

import java.util.Optional;

/// A schema that cannot be used, and where in it.
public final class BadSchemaException extends Exception {
    private static final long serialVersionUID = 1;

    private final String pointer;

    private final boolean isUnknown;

    /// @param pointer RFC 6901, from the schema's root
    BadSchemaException(String pointer, String why) {
        this(pointer, why, /* isUnknown= */ false);
    }

    private BadSchemaException(String pointer, String why, boolean isUnknown) {
        super(why);
        this.pointer = pointer;
        this.isUnknown = isUnknown;
    }

    /// A keyword that there is none of.
    static BadSchemaException unknown(String pointer, String why) {
        return new BadSchemaException(pointer, why, /* isUnknown= */ true);
    }

    /// The keyword that is not known, if that is what is wrong.
    public Optional<String> unknownKeyword() {
        return isUnknown
                ? Optional.of(Pointer.name(pointer.substring(pointer.lastIndexOf('/') + 1)))
                : Optional.empty();
    }

    public String pointer() {
        return pointer;
    }
}
