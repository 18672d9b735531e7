package dev.cagewright.sandbox.protect;

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

    /// What was there, and what was not, before the run.
    public static final class AtStart {
        private final Set<TreePath> watched;
        private final Set<TreePath> repositories;

        AtStart(Set<TreePath> watched, Set<TreePath> repositories) {
            this.watched = new TreeSet<>(watched);
            this.repositories = new TreeSet<>(repositories);
        }

        /// Protected names that were absent and have no placeholder.
        Set<TreePath> watched() {
            return watched;
        }

        /// The folders of git that were there.
        Set<TreePath> repositories() {
            return repositories;
        }
    }

    public ProtectionPlan {
        masks = List.copyOf(masks);
        placeholders = List.copyOf(placeholders);
        notices = List.copyOf(notices);
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
}
