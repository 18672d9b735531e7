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
/// @param prepare files of the cage's home, or a helper of git's, that hold the decoy, for every host of `useWith` that
/// is no pattern
/// @param login where its tokens come from, for one that is had by logging in in the cage; the store has no value then
/// @param sign what it signs, for a key that is with the person's ssh agent and goes nowhere
public record Credential(
        String name,
        Optional<String> env,
        List<String> useWith,
        Optional<List<Place>> in,
        List<Prepared> prepare,
        Optional<Login> login,
        Optional<Signing> sign) {

    /// One that is stored.
    public Credential(
            String name, Optional<String> env, List<String> useWith, Optional<List<Place>> in, List<Prepared> prepare) {
        this(name, env, useWith, in, prepare, Optional.empty(), Optional.empty());
    }

    /// One for which no file is prepared.
    public Credential(String name, Optional<String> env, List<String> useWith, Optional<List<Place>> in) {
        this(name, env, useWith, in, List.of());
    }

    /// Is its value in the person's store, and not had by a log-in or held by an ssh agent?
    public boolean isStored() {
        return login.isEmpty() && sign.isEmpty();
    }

    /// The token end point of a log-in (RFC 6749 section 3.2).
    ///
    /// @param host a name, no pattern and no alias
    /// @param path in its plainest form
    /// @param tokens the members of its answer that are tokens; never empty
    /// @param revoke the path at the same host where tokens are given back, RFC 7009
    public record Login(String host, String path, List<String> tokens, Optional<String> revoke) {
        /// What an answer has where nobody says otherwise, RFC 6749 section 5.1 and OpenID Connect Core section
        /// 3.1.3.3.
        public static final List<String> USUAL = List.of("access_token", "refresh_token", "id_token");

        private static final String PATH = "/[A-Za-z0-9._~/-]{1,255}";

        public Login {
            tokens = List.copyOf(tokens);
            requirePath("login.path", path);
            revoke.ifPresent(other -> requirePath("login.revoke", other));
            if (tokens.isEmpty() || tokens.size() > 8) {
                throw Field.refusal("login.tokens", tokens.size() + " names", "1 to 8");
            }
            tokens.stream()
                    .filter(token -> !token.matches("[A-Za-z][A-Za-z0-9_.-]{0,63}"))
                    .forEach(token -> {
                        throw Field.refusal("login.tokens", token, "the name of a member such as access_token");
                    });
        }

        private static void requirePath(String field, String path) {
            if (!path.matches(PATH) || path.endsWith("/") || path.contains("//") || path.matches(".*/\\.{1,2}(/.*)?")) {
                throw Field.refusal(field, path, "a path in its plainest form, such as /oauth/token");
            }
        }

        /// For people: where it is asked for which tokens.
        @Override
        public String toString() {
            return host + path + " for " + String.join(", ", tokens)
                    + revoke.map(other -> ", given back at " + other).orElse("");
        }
    }

    /// A key that signs and is never lent.
    ///
    /// @param key which one of the person's ssh agent: its fingerprint, comment or public half
    public record Signing(Purpose purpose, Optional<String> key) {
        /// Whom a signature is for, where a use has a host.
        public static final String PLACE = "ssh-agent.internal";

        /// What is signed.
        public enum Purpose {
            /// Commits and tags.
            GIT;

            /// Reads one of the accepted spellings.
            ///
            /// @throws IllegalArgumentException naming `field` and the accepted names
            public static Purpose parse(String field, String text) {
                if (!text.equals("git")) {
                    throw Field.refusal(
                            field, text, "git; OpenPGP keys are not relayed, git signs with ssh keys: gpg.format ssh");
                }
                return GIT;
            }

            public String word() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        /// For people: what it signs with which key.
        @Override
        public String toString() {
            return "signs for " + purpose.word() + " with "
                    + key.map(which -> "the key " + which).orElse("the only key") + " of your ssh agent";
        }
    }

    /// What programs read a credential from.
    public enum Prepared {
        /// `~/.netrc`: curl, git, pip and others.
        NETRC,
        /// `~/.npmrc`: npm and its kin.
        NPMRC,
        /// `~/.config/pip/pip.conf`: pip, whose index it names.
        PIP,
        /// A credential helper of git's, which is no file but variables.
        GIT;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Prepared parse(String field, String text) {
            return switch (text) {
                case "netrc" -> NETRC;
                case "npmrc" -> NPMRC;
                case "pip" -> PIP;
                case "git" -> GIT;
                default -> throw Field.refusal(field, text, "netrc, npmrc, pip or git");
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
        if (login.isPresent() && (env.isPresent() || !prepare.isEmpty())) {
            throw Field.refusal(
                    "credentials.login", name, "no env and no prepare beside it: the client keeps its tokens");
        }
        if (sign.isPresent() && (env.isPresent() || !prepare.isEmpty() || !useWith.isEmpty() || login.isPresent())) {
            throw Field.refusal(
                    "credentials.sign", name, "use_with: [] and nothing else beside it: the key goes nowhere");
        }
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
        if (sign.isPresent()) {
            return name + " " + sign.get();
        }
        var text = new StringBuilder(name)
                .append(useWith.isEmpty() ? " to nowhere" : " to " + String.join(", ", useWith))
                .append(" in the ")
                .append(places().stream().map(Place::word).collect(Collectors.joining(", ")));
        env.ifPresent(variable -> text.append(", as ").append(variable));
        prepare.forEach(file -> text.append(", in ").append(file.word()));
        login.ifPresent(from -> text.append(", by logging in at ").append(from));
        return text.toString();
    }

    /// The parts it may stand in.
    public List<Place> places() {
        return in.orElse(List.of(Place.HEADER));
    }
}
