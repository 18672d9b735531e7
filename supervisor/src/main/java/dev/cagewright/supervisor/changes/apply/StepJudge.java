package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.protect.ProtectedPaths;
import dev.cagewright.sandbox.protect.ProtectionGroup;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.changes.merge.Reconciliation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Judges single changes. For one thread.
final class StepJudge {
    private static final Set<String> GIT_FILES = Set.of("config", "config.worktree", "commondir");

    private final ApplyRequest request;
    private final ProtectedPaths paths;
    private final CopyTrees trees;
    private final List<RelativePath> own;

    StepJudge(ApplyRequest request, ProtectedPaths paths, CopyTrees trees) {
        this.request = request;
        this.paths = paths;
        this.trees = trees;
        this.own = ownBelow(request);
    }

    /// The product's own things that lie in the workspace.
    private static List<RelativePath> ownBelow(ApplyRequest request) {
        var top = Path.of(request.copy().lower().utf8().orElse("/nonexistent"));
        var found = new ArrayList<RelativePath>();
        for (Path path : request.home().own()) {
            var real = canonical(path);
            if (real.startsWith(top) && !real.equals(top)) {
                found.add(
                        RelativePath.written(ByteString.of(top.relativize(real).toString())));
            }
        }
        return found;
    }

    private static Path canonical(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path.toAbsolutePath().normalize();
        }
    }

    Step judge(Difference one) throws IOException {
        var step = Step.of(one);
        var path = one.path();
        if (own.stream().anyMatch(mine -> path.isWithin(mine) || (mine.isWithin(path) && goes(one.change())))) {
            return step.refused(Step.Kind.PROTECTED, "belongs to the product itself: never brought over");
        }
        var reason = paths.reason(path);
        if (reason.isPresent()) {
            return step.refused(Step.Kind.PROTECTED, reason.get().sentence());
        }
        var repository = inRepository(path);
        if (repository.isPresent() && !request.waived().contains(repository.get())) {
            return step.refused(Step.Kind.PROTECTED, new ProtectedPaths.Reason(repository).sentence());
        }
        var unsafe = unsafe(one.change());
        if (unsafe.isPresent()) {
            return step.refused(Step.Kind.UNSAFE, unsafe.get());
        }
        if (one.conflict().isPresent() && !request.forced().contains(path)) {
            return reconciled(step, one.conflict().get());
        }
        return step;
    }

    /// What both changed in different lines is brought together.
    private Step reconciled(Step step, String conflict) throws IOException {
        var one = step.difference();
        var overwrite = "; --force " + one.path() + " overwrites that";
        return switch (Reconciliation.of(request.copy(), trees, one).orElseThrow()) {
            case Reconciliation.Fits(var text) -> step.merged(MergedFile.after(one.change(), text.text()));
            case Reconciliation.Clashes(var text) ->
                request.marked().contains(one.path())
                        ? step.merged(MergedFile.after(one.change(), text.text()))
                        : step.refused(
                                Step.Kind.CONFLICT,
                                conflict + ", in the same lines" + overwrite + ", --markers " + one.path()
                                        + " writes both");
            case Reconciliation.Open _ -> step.refused(Step.Kind.CONFLICT, conflict + overwrite);
        };
    }

    private static boolean goes(Change change) {
        return change instanceof Change.Deleted;
    }

    private Optional<String> unsafe(Change change) throws IOException {
        return switch (change) {
            case Change.Added(var path, var after) -> unsafe(path, after);
            case Change.Modified(var path, var before, var after) -> {
                var was = special(before);
                yield was.isPresent() ? was : unsafe(path, after);
            }
            case Change.Deleted(var _, var before) -> special(before);
            case Change.ModeChanged(var _, var _, var after) -> special(after);
        };
    }

    private Optional<String> unsafe(RelativePath path, Node after) throws IOException {
        return switch (after) {
            case Node.File(int _, long size, String sha256) ->
                sha256.isEmpty()
                        ? Optional.of(size + " bytes are more than " + ChangeSet.DIGEST_LIMIT + ": copy it by hand")
                        : Optional.empty();
            case Node.Link(var text) -> leaving(path, text);
            case Node.Folder _ -> Optional.empty();
            case Node.Special _ -> special(after);
        };
    }

    private static Optional<String> special(Node node) {
        return node instanceof Node.Special(String word)
                ? Optional.of("is a " + word + ": only files, links and directories are brought over")
                : Optional.empty();
    }

    /// A link may go up only at its start, where the directories above it are known to be no links, and not above
    /// the workspace; and what of it exists must not lead out by a link of the host's.
    private Optional<String> leaving(RelativePath path, ByteString text) throws IOException {
        var refusal = Optional.of("is a link to " + text + ", which can lead out of the workspace");
        if (text.size() == 0 || text.at(0) == '/') {
            return refusal;
        }
        var at = path.parent();
        boolean down = false;
        for (String name : text.latin1().split("/", -1)) {
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (!name.equals("..")) {
                down = true;
                at = at.child(ByteString.copyOf(name.getBytes(StandardCharsets.ISO_8859_1)));
            } else if (down || at.isTop()) {
                return refusal;
            } else {
                at = at.parent();
            }
        }
        return trees.host().leadsOut(at.bytes()) ? refusal : Optional.empty();
    }

    /// Hooks and configuration of a repository that is no `.git` of a name that is known: one by its shape.
    private Optional<ProtectionGroup> inRepository(RelativePath path) throws IOException {
        var names = path.names();
        for (int i = 0; i < names.size(); i++) {
            var name = names.get(i).toLowerCase(Locale.ROOT);
            boolean isHooks = name.equals("hooks");
            boolean isFile = i == names.size() - 1 && GIT_FILES.contains(name);
            if ((isHooks || isFile) && isRepository(above(path, names.size() - i))) {
                return Optional.of(isHooks ? ProtectionGroup.GIT_HOOKS : ProtectionGroup.GIT_CONFIG);
            }
        }
        return Optional.empty();
    }

    private static RelativePath above(RelativePath path, int levels) {
        var at = path;
        for (int i = 0; i < levels; i++) {
            at = at.parent();
        }
        return at;
    }

    private boolean isRepository(RelativePath folder) throws IOException {
        return has(folder, "HEAD") && has(folder, "objects") && has(folder, "refs");
    }

    private boolean has(RelativePath folder, String name) throws IOException {
        return has(trees.upper().ownFolder(folder.bytes()), name) || has(trees.hostFolder(folder), name);
    }

    private static boolean has(Optional<HostFolder> folder, String name) throws IOException {
        if (folder.isEmpty()) {
            return false;
        }
        try (var open = folder.get()) {
            return open.look(ByteString.of(name)).isPresent();
        }
    }
}
