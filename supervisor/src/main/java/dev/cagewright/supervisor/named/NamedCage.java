package dev.cagewright.supervisor.named;

import dev.cagewright.policy.quantity.Field;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.supervisor.credentials.SecretWish;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What a person wrote down about one cage beside its policy. It grants nothing that the policy does not. Immutable.
///
/// @param name as [#NAME] has it
/// @param workspace the host's folder that its policy calls `/workspace`; absolute, need not be there
/// @param scaffold whose agent lives in it; absent for whatever is started in it
/// @param secrets lent to it
/// @param publish its ports that the host's loopback answers for
public record NamedCage(
        String name, Path workspace, Optional<String> scaffold, List<SecretWish> secrets, List<PublishedPort> publish) {
    /// What a name looks like: every one is a policy's `tool`, too.
    public static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";

    /// Of lists in one file.
    static final int MOST = 64;

    /// @throws IllegalArgumentException if something has not its form; secrets are not shown
    public NamedCage {
        requireName(name);
        Field.hostFile("workspace", workspace.toString(), "a folder");
        secrets = List.copyOf(secrets);
        publish = List.copyOf(publish);
        requireAtMost("secrets", secrets);
        requireAtMost("publish", publish);
    }

    private static void requireAtMost(String field, List<?> list) {
        if (list.size() > MOST) {
            throw new IllegalArgumentException(field + ": " + list.size() + " (expected: at most " + MOST + ")");
        }
    }

    /// The same one with another workspace.
    public NamedCage in(Path other) {
        return new NamedCage(name, other, scaffold, secrets, publish);
    }

    /// The same text, if it is a name.
    ///
    /// @throws IllegalArgumentException saying what is expected
    public static String requireName(String name) {
        if (!name.matches(NAME)) {
            throw Field.refusal("cage", name, "1 to 63 small letters, digits and '-', the first a letter or digit");
        }
        return name;
    }
}
