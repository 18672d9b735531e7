package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.pivots.HostPivot;
import dev.cagewright.sandbox.protect.AfterRun.Finding;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// Looks at each entry of a workspace once after a run, within bounds. For one thread.
final class AftermathWalk {
    private static final int ENTRY_LIMIT = 200_000;
    private static final int LISTED_EXECUTABLES = 20;
    private static final int FINDING_LIMIT = 500;
    private static final int SET_ID = 06000;
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;

    /// The kernel's file times lag behind the clock by up to a tick.
    private static final long COARSE_MILLIS = 20;

    private final ProtectionPlan before;
    private final Instant since;
    private final List<Finding> findings;
    private final Queue<TreePath> queue = new ArrayDeque<>();
    private int entries;
    private int executables;
    private boolean missedSome;

    AftermathWalk(ProtectionPlan before, Instant started, List<Finding> findings) {
        this.before = before;
        this.since = started.minusMillis(COARSE_MILLIS);
        this.findings = findings;
    }

    int changedExecutables() {
        return executables;
    }

    boolean isComplete() {
        return queue.isEmpty() && !missedSome;
    }

    /// @throws IOException if the top itself cannot be read
    void run() throws IOException {
        read(TreePath.TOP);
        while (!queue.isEmpty() && entries < ENTRY_LIMIT) {
            try {
                read(queue.remove());
            } catch (IOException _) {
                missedSome = true;
            }
        }
    }

    private void read(TreePath at) throws IOException {
        var names = new ArrayList<String>();
        try (var folder = Folder.descend(before.workspace(), at)) {
            for (var found = folder.entries(); found.hasNext() && entries < ENTRY_LIMIT; ) {
                entries++;
                names.add(TreePath.nameOf(found.next()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(null);
        if (names.containsAll(List.of("HEAD", "objects", "refs"))) {
            lookAtRepository(at);
            return;
        }
        for (String name : names) {
            look(at.child(name));
        }
    }

    private void look(TreePath at) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes = Files.readAttributes(at.on(before.workspace()), "unix:mode,ctime", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException _) {
            return; // another session's placeholder, or a person's file: what is gone was not left
        }
        int mode = (Integer) attributes.getOrDefault("mode", 0);
        if ((mode & TYPE) == DIRECTORY) {
            queue.add(at);
        } else if ((mode & TYPE) == REGULAR) {
            lookAtFile(at, mode, isChanged(attributes));
        }
    }

    private boolean isChanged(Map<String, Object> attributes) {
        return attributes.get("ctime") instanceof FileTime changed
                && !changed.toInstant().isBefore(since);
    }

    private void lookAtFile(TreePath at, int mode, boolean changed) {
        if ((mode & SET_ID) != 0) {
            findings.add(withoutSetId(at));
        }
        if (!changed) {
            return;
        }
        var path = new RelativePath(at.bytes());
        boolean isProtected = ProtectedPaths.groupOf(path).isPresent();
        var named = HostPivot.ofName(path);
        if (named.isPresent() || isProtected) {
            var who = named.map(HostPivot::sentence).orElse("agents, editors, shells or git obey it");
            tell(Kind.RUNS_BY_ITSELF, at, "was made or changed: " + who);
        }
        lookAtContent(path, at, mode);
    }

    private void lookAtContent(RelativePath path, TreePath at, int mode) {
        var program = HostPivot.ofContent(path, mode, head(at));
        if (program.isPresent() && ++executables <= LISTED_EXECUTABLES) {
            tell(Kind.EXECUTABLE, at, program.get().sentence() + " and was made or changed");
        }
    }

    private byte[] head(TreePath at) {
        try (var folder = Folder.descend(before.workspace(), at.parent())) {
            return folder.head(at.on(before.workspace()), HostPivot.HEAD);
        } catch (IOException _) {
            return new byte[0]; // unreadable: its permissions still tell
        }
    }

    private Finding withoutSetId(TreePath at) {
        try (var folder = Folder.descend(before.workspace(), at.parent())) {
            folder.dropSetId(at.on(before.workspace()));
            return new Finding(Kind.SET_ID_REMOVED, at.bytes(), "had a set-id bit, which was taken away");
        } catch (IOException e) {
            return new Finding(
                    Kind.SET_ID,
                    at.bytes(),
                    "has a set-id bit, which could not be taken away ("
                            + e.getClass().getSimpleName() + "): chmod a-s");
        }
    }

    /// A folder of git, with a worktree or bare: told if it was not there before and would start something.
    private void lookAtRepository(TreePath folder) throws IOException {
        if (before.atStart().repositories().contains(folder)) {
            return;
        }
        var starts = new ArrayList<String>();
        for (String hook : hooks(folder)) {
            starts.add("the hook " + new TreePath(hook));
        }
        for (GitConfig.Entry entry : config(folder).programs()) {
            starts.add(new TreePath(entry.name()) + " = " + new TreePath(entry.value()));
        }
        if (!starts.isEmpty()) {
            tell(
                    Kind.REPOSITORY,
                    folder,
                    "is a new repository in which git would start " + String.join(", ", starts)
                            + "; look at it before you run git there");
        }
    }

    private List<String> hooks(TreePath folder) {
        var hooks = new ArrayList<String>();
        try (var open = Folder.descend(before.workspace(), folder.child("hooks"))) {
            for (var found = open.entries(); found.hasNext() && hooks.size() < LISTED_EXECUTABLES; ) {
                var name = TreePath.nameOf(found.next());
                if (!name.endsWith(".sample")) {
                    hooks.add(name);
                }
            }
        } catch (IOException _) {
            return List.of();
        }
        hooks.sort(null);
        return hooks;
    }

    private GitConfig config(TreePath folder) {
        try (var open = Folder.descend(before.workspace(), folder)) {
            return GitConfig.parse(open.read(Path.of("config")));
        } catch (IOException _) {
            return new GitConfig(List.of());
        }
    }

    private void tell(Kind kind, TreePath at, String sentence) {
        if (findings.size() < FINDING_LIMIT) {
            findings.add(new Finding(kind, at.bytes(), sentence));
        }
    }
}
