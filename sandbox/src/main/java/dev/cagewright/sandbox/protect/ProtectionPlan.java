package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Mask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What a cage's mounts must do to the workspace so that the hard-deny tier holds there.
///
/// @param workspace canonical
/// @param masks sorted by path, each path once; every directory above a mask has a PIN, because a mask alone is got
///     around by renaming a parent, and so has every link on the way to a masked object
/// @param placeholders names to be held free before the cage is built, see [Placeholders]; their masks are in `masks`
/// @param atStart what [AfterRun] compares with
/// @param notices what could not be done or deserves a look
/// @param complete false if a bound was hit, so that protected objects may have been missed
public record ProtectionPlan(
        Path workspace,
        List<Mask> masks,
        List<Placeholder> placeholders,
        AtStart atStart,
        List<Notice> notices,
        boolean complete) {

    /// Files that are looked into by somebody else.
    ///
    /// @param configs of git, each of one name with a mask of its own, or a name held free
    /// @param manifests each a `package.json`
    record Files(Set<TreePath> configs, List<TreePath> manifests) {
        Files {
            configs = new TreeSet<>(configs);
            manifests = List.copyOf(manifests);
        }
    }

    /// What was there, and what was not, before the run.
    public static final class AtStart {
        private final Set<TreePath> watched;
        private final Set<TreePath> repositories;
        private final Files files;
        private final Set<ProtectionGroup> waived;

        AtStart(Set<TreePath> watched, Set<TreePath> repositories, Files files, Set<ProtectionGroup> waived) {
            this.waived = Set.copyOf(waived);
            this.watched = new TreeSet<>(watched);
            this.repositories = new TreeSet<>(repositories);
            this.files = files;
        }

        /// Protected names that were absent and have no placeholder.
        Set<TreePath> watched() {
            return watched;
        }

        /// The folders of git that were there.
        Set<TreePath> repositories() {
            return repositories;
        }

        boolean isWanted(ProtectionGroup group) {
            return !waived.contains(group);
        }

        Files files() {
            return files;
        }
    }

    public ProtectionPlan {
        masks = List.copyOf(masks);
        placeholders = List.copyOf(placeholders);
        notices = List.copyOf(notices);
    }

    /// The configuration files of git that the workload may have a copy of its own of, relative to the workspace:
    /// each is masked by itself, and a file of one name or a name that is held free.
    public List<ByteString> configs() {
        return atStart.files().configs().stream().map(TreePath::bytes).toList();
    }

    /// The first 2,000 `package.json` of the workspace, relative to it.
    public List<ByteString> manifests() {
        return atStart.files().manifests().stream().map(TreePath::bytes).toList();
    }

    /// Looks through the workspace, at most [WorkspaceScan#ENTRY_LIMIT] entries, nearest first, and plans. Changes
    /// nothing and follows no link out of the workspace.
    ///
    /// @throws IOException if the workspace itself cannot be read
    public static ProtectionPlan scan(ProtectionRequest request) throws IOException {
        var draft = new PlanDraft(request.workspace().toRealPath(), request);
        new WorkspaceScan(draft, new WorkspaceScan.Names(draft, request.patterns())).run();
        new FixedNames(draft).protect();
        var shared = draft.filesOfSeveralNames();
        if (!shared.isEmpty()) {
            new WorkspaceScan(draft, new WorkspaceScan.OtherNames(draft, shared)).run();
        }
        return draft.finish();
    }

    /// The same for the folder that a repository has for one linked worktree, `worktrees/NAME`.
    ///
    /// @throws IOException if it cannot be read
    public static ProtectionPlan ofWorktree(ProtectionRequest request) throws IOException {
        var draft = new PlanDraft(request.workspace().toRealPath(), request);
        new GitLayout(draft).protectWorktreeFolder();
        return draft.finish();
    }
}
