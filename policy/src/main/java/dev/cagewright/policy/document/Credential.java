package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One secret, by name, and where it may go. The value is never in a policy.
///
/// @param name the secret's name in the store
/// @param env the variable that holds the decoy in the cage
/// @param useWith aliases or host patterns of destinations; empty means nowhere
/// @param in the parts of a request it may stand in; absent means the header
public record Credential(String name, Optional<String> env, List<String> useWith, Optional<List<Place>> in) {

    /// A part of a request.
    public enum Place {
        HEADER,
        QUERY,
        PATH,
        BODY;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Place parse(String field, String text) {
            return switch (text) {
                case "header" -> HEADER;
                case "query" -> QUERY;
                case "path" -> PATH;
                case "body" -> BODY;
                default -> throw Field.refusal(field, text, "header, query, path or body");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Credential {
        useWith = List.copyOf(useWith);
        in = in.map(List::copyOf);
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")) {
            throw Field.refusal("credentials.name", name, "1 to 128 letters, digits, '.', '_' and '-'");
        }
        env.ifPresent(variable -> {
            if (!variable.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
                throw Field.refusal("credentials.env", variable, "the name of an environment variable");
            }
        });
    }

    /// The parts it may stand in.
    public List<Place> places() {
        return in.orElse(List.of(Place.HEADER));
    }
}
