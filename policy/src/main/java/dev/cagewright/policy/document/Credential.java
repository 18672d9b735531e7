package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// One secret, by name, and where it may go. The value is never in a policy.
///
/// @param name the secret's name in the store
/// @param env the variable that holds the decoy in the cage
/// @param useWith aliases or host patterns of destinations; empty means nowhere
/// @param in the parts of a request it may stand in; absent means the header
/// @param prepare files of the cage's home that hold the decoy, for every host of `useWith` that is no pattern
public record Credential(
        String name, Optional<String> env, List<String> useWith, Optional<List<Place>> in, List<Prepared> prepare) {

    /// One for which no file is prepared.
    public Credential(String name, Optional<String> env, List<String> useWith, Optional<List<Place>> in) {
        this(name, env, useWith, in, List.of());
    }

    /// A file that programs read a credential from.
    public enum Prepared {
        /// `~/.netrc`: curl, git, pip and others.
        NETRC,
        /// `~/.npmrc`: npm and its kin.
        NPMRC,
        /// `~/.config/pip/pip.conf`: pip, whose index it names.
        PIP;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Prepared parse(String field, String text) {
            return switch (text) {
                case "netrc" -> NETRC;
                case "npmrc" -> NPMRC;
                case "pip" -> PIP;
                default -> throw Field.refusal(field, text, "netrc, npmrc or pip");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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
        prepare = List.copyOf(prepare);
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")) {
            throw Field.refusal("credentials.name", name, "1 to 128 letters, digits, '.', '_' and '-'");
        }
        env.ifPresent(variable -> {
            if (!variable.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
                throw Field.refusal("credentials.env", variable, "the name of an environment variable");
            }
        });
    }

    /// For people: which secret, to whom, where, and where its decoy is.
    @Override
    public String toString() {
        var text = new StringBuilder(name)
                .append(useWith.isEmpty() ? " to nowhere" : " to " + String.join(", ", useWith))
                .append(" in the ")
                .append(places().stream().map(Place::word).collect(Collectors.joining(", ")));
        env.ifPresent(variable -> text.append(", as ").append(variable));
        prepare.forEach(file -> text.append(", in ").append(file.word()));
        return text.toString();
    }

    /// The parts it may stand in.
    public List<Place> places() {
        return in.orElse(List.of(Place.HEADER));
    }
}
