package dev.cagewright.supervisor.vault;

import dev.cagewright.policy.document.CageName;
import java.util.Optional;

/// Whose secrets: every cage's of the person, one cage's alone, or the log-ins of one home.
///
/// @param cage empty for every cage
/// @param home the name of the home that log-ins belong to; empty for what the person stored
public record Scope(Optional<CageName> cage, Optional<String> home) {
    /// What the name of a home looks like.
    public static final String HOME = "[A-Za-z0-9][A-Za-z0-9._-]{0,126}";

    private static final String EVERY = "user";
    private static final String CAGE = "cage-";
    private static final String AT_HOME = "home-";
    private static final String ENDING = ".secrets";

    public static final Scope USER = new Scope(Optional.empty(), Optional.empty());

    public Scope {
        home.filter(name -> !name.matches(HOME)).ifPresent(name -> {
            throw new IllegalArgumentException(
                    "home: \"" + name + "\" (expected: the name of a home, as cagewright" + " secret list has it)");
        });
    }

    public static Scope of(CageName cage) {
        return new Scope(Optional.of(cage), Optional.empty());
    }

    /// The log-ins of a home.
    ///
    /// @throws IllegalArgumentException if that is no home's name
    public static Scope ofHome(String home) {
        return new Scope(Optional.empty(), Optional.of(home));
    }

    /// For people, and in the store.
    public String words() {
        return home.map(name -> "the home " + name)
                .orElseGet(() -> cage.map(name -> "the cage " + name.value()).orElse("every cage"));
    }

    /// The store's name in the folder of the stores.
    public String file() {
        return home.map(name -> AT_HOME + name)
                        .orElseGet(() -> cage.map(name -> CAGE + name.value()).orElse(EVERY))
                + ENDING;
    }

    /// The scope whose store has that name; empty for a name that none has.
    static Optional<Scope> ofFile(String file) {
        var bare = file.endsWith(ENDING) ? file.substring(0, file.length() - ENDING.length()) : "";
        if (bare.equals(EVERY)) {
            return Optional.of(USER);
        }
        try {
            if (bare.startsWith(AT_HOME)) {
                return Optional.of(ofHome(bare.substring(AT_HOME.length())));
            }
            return bare.startsWith(CAGE)
                    ? Optional.of(of(new CageName(bare.substring(CAGE.length()))))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
