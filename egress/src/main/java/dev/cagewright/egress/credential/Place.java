package dev.cagewright.egress.credential;

import dev.cagewright.policy.document.Credential;
import java.util.Optional;

/// The part of a request that a secret may stand in.
public sealed interface Place {

    /// A header field: as it is, behind a word such as `Bearer`, or as user or password of `Basic`.
    ///
    /// @param name of the only field; absent means any
    record Header(Optional<String> name) implements Place {}

    /// Behind the `?`.
    record Query() implements Place {}

    /// A segment of the path, or a part of one.
    record Path() implements Place {}

    /// A string of JSON, or a name or value of a form.
    record Body() implements Place {}

    /// What a policy says.
    static Place of(Credential.Place said) {
        return switch (said) {
            case HEADER -> new Header(Optional.empty());
            case QUERY -> new Query();
            case PATH -> new Path();
            case BODY -> new Body();
        };
    }

    /// For messages, e.g. `header`.
    default String word() {
        return switch (this) {
            case Header _ -> "header";
            case Query _ -> "query";
            case Path _ -> "path";
            case Body _ -> "body";
        };
    }
}
