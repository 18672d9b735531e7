package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Whose policy a file is.
public enum Format {
    AGENTCAGE(
            "agentcage",
            "name",
            Set.of("container", "domains", "secret_injection", "lifecycle", "protocol_relays", "exec_aliases")),
    TOOLCAGE("toolcage", "tool", Set.of("tool", "min_isolation", "fs", "net", "approval", "exec")),
    SANDBOX_RUNTIME(
            "sandbox-runtime",
            "",
            Set.of(
                    "network",
                    "filesystem",
                    "ignoreViolations",
                    "enableWeakerNestedSandbox",
                    "mandatoryDenySearchDepth")),
    CODEX(
            "codex",
            "",
            Set.of(
                    "sandbox_mode",
                    "sandbox_workspace_write",
                    "default_permissions",
                    "permissions",
                    "profiles",
                    "approval_policy",
                    "model",
                    "mcp_servers",
                    "model_provider"));

    private final String word;
    private final String nameKey;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> marks;

    Format(String word, String nameKey, Set<String> marks) {
        this.word = word;
        this.nameKey = nameKey;
        this.marks = marks;
    }

    /// What a person calls it.
    public String word() {
        return word;
    }

    /// The key that has the cage's name; empty where the source has no names.
    String nameKey() {
        return nameKey;
    }

    /// The format of that word.
    ///
    /// @throws IllegalArgumentException naming those that there are
    public static Format parse(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--from: " + word + " (expected: " + words() + ")"));
    }

    /// All words, for messages.
    static String words() {
        return Arrays.stream(values()).map(Format::word).collect(Collectors.joining(", "));
    }

    /// The one format that has keys of this file; empty if none has, or several have.
    static Optional<Format> of(Node.Mapping root) {
        var found = new ArrayList<Format>();
        for (Format format : values()) {
            if (root.entries().stream()
                    .anyMatch(entry -> format.marks.contains(entry.key().text()))) {
                found.add(format);
            }
        }
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /// Those that have keys of this file.
    static List<String> candidates(Node.Mapping root) {
        return Arrays.stream(values())
                .filter(format -> root.entries().stream()
                        .anyMatch(entry -> format.marks.contains(entry.key().text())))
                .map(Format::word)
                .toList();
    }
}
