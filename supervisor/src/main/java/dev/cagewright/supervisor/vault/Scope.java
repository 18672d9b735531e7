package dev.cagewright.supervisor.vault;

import dev.cagewright.policy.document.CageName;
import java.util.Optional;

/// Whose secrets: every cage's of the person, or one cage's alone.
///
/// @param cage empty for every cage
public record Scope(Optional<CageName> cage) {
    private static final String EVERY = "user";
    private static final String CAGE = "cage-";
    private static final String ENDING = ".secrets";

    public static final Scope USER = new Scope(Optional.empty());

    public static Scope of(CageName cage) {
        return new Scope(Optional.of(cage));
    }

    /// For people, and in the store.
    public String words() {
        return cage.map(name -> "the cage " + name.value()).orElse("every cage");
    }

    String file() {
        return cage.map(name -> CAGE + name.value()).orElse(EVERY) + ENDING;
    }

    /// The scope whose store has that name; empty for a name that none has.
    static Optional<Scope> ofFile(String file) {
        var bare = file.endsWith(ENDING) ? file.substring(0, file.length() - ENDING.length()) : "";
        if (bare.equals(EVERY)) {
            return Optional.of(USER);
        }
        try {
            return bare.startsWith(CAGE)
                    ? Optional.of(of(new CageName(bare.substring(CAGE.length()))))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
