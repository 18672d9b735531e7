package dev.cagewright.sandbox.protect;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A part of the hard-deny tier that a policy can waive by name.
public enum ProtectionGroup {
    GIT_HOOKS("git-hooks"),
    GIT_CONFIG("git-config"),
    AGENT_CONFIG("agent-config"),
    EDITOR_CONFIG("editor-config"),
    SHELL_STARTUP("shell-startup"),
    SSH("ssh"),
    CLOUD_CREDENTIALS("cloud-credentials"),
    SOCKETS("sockets");

    private final String id;

    ProtectionGroup(String id) {
        this.id = id;
    }

    /// The name in a policy's `fs.protect.waive`.
    public String id() {
        return id;
    }

    /// The group that `id` names exactly.
    public static Optional<ProtectionGroup> named(String id) {
        return Arrays.stream(values()).filter(group -> group.id.equals(id)).findFirst();
    }

    /// All group names, for messages.
    public static String names() {
        return Arrays.stream(values()).map(ProtectionGroup::id).collect(Collectors.joining(", "));
    }

    /// The groups that `ids` name.
    ///
    /// @throws IllegalArgumentException if one names no group; nothing is waived by a guess
    public static Set<ProtectionGroup> waived(Collection<String> ids) {
        var groups = EnumSet.noneOf(ProtectionGroup.class);
        for (String id : ids) {
            groups.add(named(id)
                    .orElseThrow(() -> new IllegalArgumentException("waive: " + id + " (expected: " + names() + ")")));
        }
        return groups;
    }
}
