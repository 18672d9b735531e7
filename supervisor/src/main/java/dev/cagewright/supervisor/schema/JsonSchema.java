package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonValue;
import java.util.List;
import java.util.Optional;

/// A schema, ready to be asked. Immutable and safe for all threads. A value that takes too long to be judged does not
/// fit.
public final class JsonSchema {
    /// The largest schema, as JSON in bytes.
    public static final int MAX_BYTES = 256 * 1024;

    /// What becomes of what is not known.
    public enum Reading {
        /// A keyword that is not known is an error: for schemas that people write to keep something out.
        STRICT,
        /// It says nothing, and so does a pattern that cannot be matched in linear time: for schemas of servers, which
        /// are looked at besides.
        LENIENT
    }

    private final Rule root;

    JsonSchema(Rule root) {
        this.root = root;
    }

    /// Reads a schema. References lead to places of itself only.
    ///
    /// @throws BadSchemaException if it says something that cannot be judged by
    public static JsonSchema of(JsonValue schema, Reading reading) throws BadSchemaException {
        return SchemaReader.read(schema, reading);
    }

    /// The keywords that there are.
    public static List<String> keywords() {
        return Keyword.KNOWN;
    }

    /// Why `value` does not fit; the first reason that is found.
    public Optional<Violation> violation(JsonValue value) {
        try {
            return root.violation(value, "", new Work());
        } catch (Work.TooMuchException | IllegalArgumentException e) {
            return Optional.of(new Violation("", String.valueOf(e.getMessage())));
        } catch (StackOverflowError _) {
            return Optional.of(new Violation("", "nests too deep to be judged"));
        }
    }
}
