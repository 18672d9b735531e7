package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import dev.cagewright.sandbox.protect.ProtectedName.Reach;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at each entry of the workspace once, nearest to the top first, within bounds, from the descriptor of its
/// directory. For one thread.
final class WorkspaceScan {
    /// How many entries are looked at.
    static final int ENTRY_LIMIT = 50_000;

    static final int DEPTH_LIMIT = 64;

    private static final String SKIPPED = "node_modules";

    /// A directory still to be read, and which object it must be.
    private record Pending(TreePath at, @Nullable Object identity) {}

    /// Whether the walk goes into a directory.
    enum Descent {
        INTO,
        PAST
    }

    /// What is done with each entry.
    interface Visitor {
        Descent visit(TreePath at, Shape shape, BasicFileAttributes attributes);
    }

    private final PlanDraft draft;
    private final Visitor visitor;
    private final Queue<Pending> queue = new ArrayDeque<>();
    private final Set<Object> visited = new HashSet<>();
    private int entries;

    WorkspaceScan(PlanDraft draft, Visitor visitor) {
        this.draft = draft;
        this.visitor = visitor;
    }

    /// @throws IOException if the top itself cannot be read
    void run() throws IOException {
        try (var top = Folder.open(draft.root())) {
            read(top, TreePath.TOP);
        }
        while (!queue.isEmpty() && entries < ENTRY_LIMIT) {
            var next = queue.remove();
            try (var folder = Folder.open(next.at.on(draft.root()), next.identity)) {
                read(folder, next.at);
            } catch (IOException e) {
                draft.tell(Notice.Kind.UNREADABLE, next.at, "cannot be looked at: " + e.getMessage());
            }
        }
        if (!queue.isEmpty()) {
            draft.tell(
                    Notice.Kind.BOUND_HIT,
                    TreePath.TOP,
                    "has more than " + ENTRY_LIMIT
                            + " entries: protected names below " + queue.remove().at
                            + " and later may have been missed;"
                            + " use a smaller workspace");
        }
    }

    private void read(Folder folder, TreePath at) throws IOException {
        try {
            for (var names = folder.entries(); names.hasNext() && entries < ENTRY_LIMIT; ) {
                entries++;
                look(folder, at, names.next());
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void look(Folder folder, TreePath parent, Path path) {
        var at = parent.child(TreePath.nameOf(path));
        try {
            var attributes = folder.look(path);
            var shape = attributes.isOther() ? Shape.of(path, attributes) : shape(attributes);
            var descent = visitor.visit(at, shape, attributes);
            if (shape == Shape.DIRECTORY && descent == Descent.INTO) {
                enqueue(at, attributes.fileKey());
            }
        } catch (IOException e) {
            draft.tell(Notice.Kind.UNREADABLE, at, "cannot be looked at: " + e.getMessage());
        }
    }

    private static Shape shape(BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            return Shape.LINK;
        }
        return attributes.isDirectory() ? Shape.DIRECTORY : Shape.FILE;
    }

    private void enqueue(TreePath at, @Nullable Object identity) {
        if (at.depth() > DEPTH_LIMIT) {
            draft.tell(
                    Notice.Kind.BOUND_HIT,
                    at,
                    "is deeper than " + DEPTH_LIMIT
                            + " directories: what is below was not looked at; use a smaller workspace");
        } else if (identity == null || visited.add(identity)) {
            queue.add(new Pending(at, identity));
        }
    }

    /// Judges entries by their names.
    static final class Names implements Visitor {
        private final PlanDraft draft;
        private final GitLayout git;
        private final List<HidePattern> hide;
        private final Map<String, ProtectedName> exact = new HashMap<>();

        Names(PlanDraft draft, List<HidePattern> hide) {
            this.draft = draft;
            this.git = new GitLayout(draft);
            this.hide = hide;
            ProtectedName.TABLE.stream()
                    .filter(row -> row.reach() != Reach.HOME && draft.isWanted(row.group()))
                    .forEach(row -> exact.put(row.path(), row));
        }

        @Override
        public Descent visit(TreePath at, Shape shape, BasicFileAttributes attributes) {
            if (at.name().equals(".git")) {
                git.protect(at);
                return Descent.PAST;
            }
            if (hide.stream().anyMatch(pattern -> pattern.fits(at))) {
                hide(at, shape);
                return Descent.PAST;
            }
            if (shape == Shape.FILE && at.name().equals("package.json")) {
                draft.manifest(at);
            }
            holdOtherRepositories(at, shape);
            var row = row(at.name());
            if (row != null) {
                draft.protect(at, row.kind());
            } else if (shape == Shape.SOCKET && draft.isWanted(ProtectionGroup.SOCKETS)) {
                draft.hide(at);
            }
            return at.name().equals(SKIPPED) ? Descent.PAST : Descent.INTO;
        }

        /// Mercurial and Jujutsu run what their configuration names, as git does.
        private void holdOtherRepositories(TreePath at, Shape shape) {
            if (shape != Shape.DIRECTORY || !draft.isWanted(ProtectionGroup.GIT_CONFIG)) {
                return;
            }
            var file = at.name().equals(".hg") ? "hgrc" : at.name().equals(".jj") ? "repo/config.toml" : "";
            if (!file.isEmpty()) {
                draft.protectOrHoldFree(
                        at.child(file), Mask.Kind.READ_ONLY, Filler.EMPTY_FILE, ProtectionGroup.GIT_CONFIG);
            }
        }

        private void hide(TreePath at, Shape shape) {
            if (shape == Shape.LINK) {
                draft.protect(at, Mask.Kind.HIDDEN);
            } else {
                draft.hide(at);
            }
        }

        private @Nullable ProtectedName row(String name) {
            var row = exact.get(name);
            if (row == null && name.endsWith(".code-workspace")) {
                return exact.get("*.code-workspace");
            }
            return row;
        }
    }

    /// Finds other names of files that are masked under one name: a mask sits on a name, not on the file.
    record OtherNames(PlanDraft draft, Map<Object, Mask.Kind> files) implements Visitor {
        @Override
        public Descent visit(TreePath at, Shape shape, BasicFileAttributes attributes) {
            var kind = attributes.fileKey() == null ? null : files.get(attributes.fileKey());
            if (shape == Shape.FILE && kind != null) {
                draft.protect(at, kind);
            }
            return at.name().equals(SKIPPED) ? Descent.PAST : Descent.INTO;
        }
    }
}
