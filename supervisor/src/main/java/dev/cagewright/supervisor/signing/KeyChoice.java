package dev.cagewright.supervisor.signing;

import dev.cagewright.policy.action.ByteString;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which of an agent's keys signs.
final class KeyChoice {
    private KeyChoice() {}

    /// The one that is wished, by its fingerprint, its comment, or the text of its public half; without a wish the only
    /// one.
    ///
    /// @throws IllegalArgumentException if that is none, or more than one
    static SigningKey of(List<SigningKey> keys, Optional<String> wish) {
        var meant = keys.stream()
                .filter(key -> wish.isEmpty() || isMeant(key, wish.get().strip()))
                .toList();
        if (meant.size() == 1) {
            return meant.getFirst();
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("your ssh agent has no key to sign with (ssh-add adds one)");
        }
        var wished = wish.map(words -> "\"" + ByteString.of(words).printable() + "\" is "
                        + (meant.isEmpty() ? "none" : "more than one"))
                .orElse("there is more than one");
        throw new IllegalArgumentException(wished + " of the keys of your ssh agent (expected: one of "
                + keys.stream()
                        .limit(8)
                        .map(key -> key.fingerprint() + " "
                                + ByteString.of(key.comment()).printable())
                        .collect(Collectors.joining(", "))
                + ")");
    }

    private static boolean isMeant(SigningKey key, String wish) {
        return wish.equals(key.fingerprint())
                || wish.equals(key.comment())
                || wish.equals(key.line())
                || wish.startsWith(key.line() + " ");
    }
}
