package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.disarm.NewRepository;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.gitconfig.Setting;
import dev.cagewright.sandbox.pivots.HostPivot;
import dev.cagewright.sandbox.protect.AfterRun.Finding;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/// Looks at each entry of a workspace once after a run, within bounds. For one thread.
final class AftermathWalk {
    private static final int ENTRY_LIMIT = 200_000;
    private static final int LISTED_HOOKS = 20;
    private static final int FINDING_LIMIT = 2_000;
    private static final int POINTER = 4_200;
    private static final int SET_ID = 06000;
    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;

    /// The kernel's file times lag behind the clock by up to a tick.
    private static final long COARSE_MILLIS = 20;

    private final ProtectionPlan before;
    private final Instant since;
    private final AfterRun.Host host;
    private final Set<TreePath> programFolders;
    private final List<Finding> findings;
    private final Queue<TreePath> queue = new ArrayDeque<>();
    private int entries;
    private int executables;
    private boolean missedSome;

    AftermathWalk(ProtectionPlan before, Instant started, AfterRun.Host host, List<Finding> findings) {
        this.before = before;
        this.host = host;
        this.programFolders = host.programs().stream()
                .flatMap(folder -> TreePath.TOP.resolve(before.workspace(), TreePath.latin1Of(folder)).stream())
                .collect(Collectors.toUnmodifiableSet());
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
        boolean isRepository = isGitFolder(names);
        if (isRepository) {
            lookAtRepository(at);
        } else if (isBegun(at, names) && isAnyChanged(at)) {
            tellWhatStarts(at);
        }
        for (String name : names) {
            if (!isRepository || isLookedAtInGit(at, name)) {
                look(at.child(name));
            }
        }
    }

    /// As git takes a folder for its own; gitrepository-layout(5).
    private static boolean isGitFolder(List<String> names) {
        return names.contains("HEAD") && (names.containsAll(List.of("objects", "refs")) || names.contains("commondir"));
    }

    /// No repository yet, and what stands in it `git init` keeps.
    private static boolean isBegun(TreePath at, List<String> names) {
        return !at.equals(TreePath.TOP)
                && at.name().equals(".git")
                && (names.contains("hooks") || names.contains("config"));
    }

    private boolean isAnyChanged(TreePath folder) throws IOException {
        var all = new ArrayList<>(List.of(folder.child("config")));
        hooks(folder).forEach(hook -> all.add(folder.child("hooks").child(hook)));
        for (TreePath at : all) {
            var path = at.on(before.workspace());
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    && isChanged(Files.readAttributes(path, "unix:ctime", LinkOption.NOFOLLOW_LINKS))) {
                return true;
            }
        }
        return false;
    }

    /// Of a folder of git the folders of submodules and worktrees; of one that stands open in the workspace everything
    /// but its objects, since three names are easily made.
    private static boolean isLookedAtInGit(TreePath folder, String name) {
        return name.equals("modules") || name.equals("worktrees") || (!isInGit(folder) && !name.equals("objects"));
    }

    private static boolean isInGit(TreePath at) {
        return at.names().contains(".git");
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
        } else if ((mode & TYPE) == REGULAR && !isInGit(at.parent())) {
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
        if (at.name().equals(".git")) {
            lookAtPointer(at);
        }
        lookAtContent(path, at, mode);
    }

    /// The file that stands for a folder of git elsewhere.
    private void lookAtPointer(TreePath at) {
        var named = new String(head(at, POINTER), StandardCharsets.ISO_8859_1).strip();
        var target = named.startsWith("gitdir:")
                ? named.substring("gitdir:".length()).strip()
                : "";
        boolean isWithin = !target.isEmpty()
                && at.parent().resolve(before.workspace(), target).isPresent();
        if (!before.atStart().repositories().contains(at) && !isWithin) {
            tell(Kind.REPOSITORY, at, "is new and sends git out of the workspace, to " + new TreePath(target));
        }
    }

    private void lookAtContent(RelativePath path, TreePath at, int mode) {
        var program = HostPivot.ofContent(path, mode, head(at, HostPivot.HEAD));
        if (program.isPresent()) {
            executables++;
            var place = programFolders.contains(at.parent())
                    ? "is a program in a folder of your PATH"
                    : program.get().sentence();
            tell(Kind.EXECUTABLE, at, place + " and was made or changed");
        }
    }

    private byte[] head(TreePath at, int most) {
        try (var folder = Folder.descend(before.workspace(), at.parent())) {
            return folder.head(at.on(before.workspace()), most);
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

    /// A folder of git that was not there before, with a worktree or bare. Where the plan does not know everything that
    /// was there, one that is not surely new is only told.
    private void lookAtRepository(TreePath folder) throws IOException {
        if (before.atStart().repositories().contains(folder)) {
            return;
        }
        if (!before.complete() && !isMadeSince(folder)) {
            tellWhatStarts(folder);
            return;
        }
        try (var top = HostFolder.open(new TreePath(TreePath.latin1Of(before.workspace())).bytes());
                var open = top.folder(folder.bytes()).orElseThrow(() -> new IOException(folder + ": is gone"))) {
            var repository = new NewRepository(open, host.harmless(), path -> isWorktree(folder, path));
            var out = new ArrayList<String>();
            if (before.atStart().isWanted(ProtectionGroup.GIT_HOOKS)) {
                out.addAll(repository.disarmHooks());
            }
            if (before.atStart().isWanted(ProtectionGroup.GIT_CONFIG)) {
                out.addAll(repository.disarmSettings());
            }
            if (!out.isEmpty()) {
                tell(Kind.REPOSITORY, folder, "is a new repository; taken out of it: " + String.join(", ", out));
            }
        }
        tellWhatStarts(folder);
    }

    private boolean isWorktree(TreePath folder, String path) {
        return folder.resolve(before.workspace(), path)
                .filter(inside -> !isInGit(inside))
                .isPresent();
    }

    private boolean isMadeSince(TreePath folder) throws IOException {
        for (TreePath at : List.of(folder, folder.child("HEAD"), folder.child("objects"))) {
            var made = Files.readAttributes(
                            at.on(before.workspace()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .creationTime();
            if (made.toInstant().isBefore(since)) {
                return false;
            }
        }
        return true;
    }

    private void tellWhatStarts(TreePath folder) {
        var starts = new ArrayList<String>();
        for (String hook : hooks(folder)) {
            starts.add("the hook " + new TreePath(hook));
        }
        for (Setting entry : config(folder).programs()) {
            starts.add(entry.toString());
        }
        if (!starts.isEmpty()) {
            tell(
                    Kind.REPOSITORY,
                    folder,
                    "is a repository in which git would start " + String.join(", ", starts)
                            + "; look at it before you run git there");
        }
    }

    private List<String> hooks(TreePath folder) {
        var hooks = new ArrayList<String>();
        try (var open = Folder.descend(before.workspace(), folder.child("hooks"))) {
            for (var found = open.entries(); found.hasNext() && hooks.size() < LISTED_HOOKS; ) {
                var name = TreePath.nameOf(found.next());
                if (!name.endsWith(".sample") && !name.endsWith(".taken-out")) {
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
