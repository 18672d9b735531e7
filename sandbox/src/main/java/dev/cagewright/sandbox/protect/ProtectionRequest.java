package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What to protect.
///
/// @param workspace an existing directory; its own path may contain links
/// @param home the home directory of the person whose tools must stay unharmed; may not exist
/// @param waived groups that the policy lifts
/// @param hide further patterns of names to hide, such as `.env` or `config/**/key.pem`
/// @param repository the folder of git outside of the workspace that it is a linked worktree of, where the cage has it
public record ProtectionRequest(
        Path workspace, Path home, Set<ProtectionGroup> waived, List<String> hide, Optional<Path> repository) {
    /// One for a workspace that has its repository in it, or none.
    public ProtectionRequest(Path workspace, Path home, Set<ProtectionGroup> waived, List<String> hide) {
        this(workspace, home, waived, hide, Optional.empty());
    }

    /// The same for a linked worktree.
    public ProtectionRequest withRepository(Path common) {
        return new ProtectionRequest(workspace, home, waived, hide, Optional.of(common));
    }

    /// The same for another folder, of which nothing is hidden by name.
    public ProtectionRequest elsewhere(Path folder) {
        return new ProtectionRequest(folder, home, waived, List.of(), Optional.empty());
    }

    public ProtectionRequest {
        workspace = workspace.toAbsolutePath();
        home = home.toAbsolutePath();
        waived = Set.copyOf(waived);
        hide = List.copyOf(hide);
        hide.forEach(HidePattern::parse);
    }

    /// The same for paths by their bytes, which need not be text.
    ///
    /// @param workspace absolute
    /// @param home absolute
    public static ProtectionRequest ofBytes(
            ByteString workspace, ByteString home, Set<ProtectionGroup> waived, List<String> hide) {
        return new ProtectionRequest(
                TreePath.pathOf(workspace.toByteArray()), TreePath.pathOf(home.toByteArray()), waived, hide);
    }

    List<HidePattern> patterns() {
        return hide.stream().map(HidePattern::parse).toList();
    }
}
