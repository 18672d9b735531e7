package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A workspace that is a linked worktree of git, whose repository lies outside of it: `.git` is a file that names a
/// folder in the repository, and that folder names the worktree; gitrepository-layout(5). Both ways are looked at,
/// since
/// a file is written by anybody. Immutable.
///
/// @param workspace of the host
/// @param admin what git keeps of this worktree, `worktrees/NAME` of the repository
/// @param common the repository's own folder
public record LinkedWorktree(HostDirectory workspace, HostDirectory admin, HostDirectory common) {
    private static final int LONGEST = 4_200;
    private static final String POINTER = "gitdir:";

    /// Is `workspace` one? It is none if its `.git` leads to a folder of git's that is not of that kind, as that of a
    /// submodule is not, or if it lies in its own repository's folder.
    ///
    /// @throws ConfinementException if its `.git` leads out of it to something else: nothing that a file names is
    ///     mounted because it is named
    public static Optional<LinkedWorktree> of(HostDirectory workspace) throws ConfinementException {
        var top = Path.of(workspace.path().utf8().orElse("/"));
        var named = pointer(top);
        if (named.isEmpty() || named.get().startsWith(top)) {
            return Optional.empty();
        }
        var admin = named.get();
        var folder = admin.getParent();
        var common = folder == null ? null : folder.getParent();
        if (folder == null || common == null || !folder.endsWith("worktrees")) {
            if (!isGitFolder(admin)) {
                throw refusal(admin, "is no folder of git's");
            }
            return Optional.empty();
        }
        var linked = new LinkedWorktree(workspace, opened(admin), opened(common));
        linked.check(top, admin, common);
        return top.startsWith(common) ? Optional.empty() : Optional.of(linked);
    }

    /// The repository's own folder.
    public Path repository() {
        return Path.of(common.path().utf8().orElseThrow());
    }

    /// Has a policy mounts of its own in the repository, or above it?
    public boolean isIn(List<Mount> mounts) {
        var place = new GuestPath(repository().toString());
        return mounts.stream()
                .anyMatch(one -> place.isWithin(one.at()) || one.at().isWithin(place));
    }

    private void check(Path top, Path admin, Path common) throws ConfinementException {
        if (!isGitFolder(common)) {
            throw refusal(admin, "lies in no repository");
        }
        if (!text(admin, "commondir").map(admin::resolve).map(Path::normalize).equals(Optional.of(common))) {
            throw refusal(admin, "does not say that it is of " + printable(common));
        }
        var back = text(admin, "gitdir").map(admin::resolve).map(Path::normalize);
        if (!back.equals(Optional.of(top.resolve(".git")))) {
            throw refusal(
                    admin,
                    "is of another worktree, "
                            + back.map(LinkedWorktree::printable).orElse("which it does not name"));
        }
        int owner = workspace.identity().owner();
        if (owner != this.admin.identity().owner()
                || owner != this.common.identity().owner()) {
            throw refusal(admin, "belongs to somebody else than the workspace");
        }
    }

    private static ConfinementException refusal(Path named, String why) {
        return new ConfinementException(
                "repository",
                ".git of the workspace names " + printable(named),
                "which " + why,
                "run `git worktree repair` in the workspace if you moved it or its repository, else find out who wrote"
                        + " the file .git there, or remove it");
    }

    private static String printable(Path path) {
        return ByteString.of(path.toString()).printable();
    }

    private static HostDirectory opened(Path folder) throws ConfinementException {
        HostDirectory directory;
        try {
            directory = HostDirectory.open(ByteString.of(folder.toString()), Access.READ_WRITE);
        } catch (ConfinementException e) {
            throw refusal(folder, "is not there (" + e.reason() + ")");
        }
        if (!directory.path().equals(ByteString.of(folder.toString()))) {
            throw refusal(folder, "has a link in its path");
        }
        return directory;
    }

    /// What the file `.git` of a worktree names.
    private static Optional<Path> pointer(Path top) {
        return text(top, ".git")
                .filter(text -> text.startsWith(POINTER))
                .map(text -> text.substring(POINTER.length()).strip())
                .filter(text -> !text.isEmpty())
                .map(top::resolve)
                .map(Path::normalize);
    }

    /// One line of a small file; empty if there is none that is a path.
    private static Optional<String> text(Path folder, String name) {
        try (var open = HostFolder.open(ByteString.of(folder.toString()))) {
            var at = ByteString.of(name);
            if (open.look(at).filter(HostEntry::isFile).isEmpty()) {
                return Optional.empty();
            }
            try (var file = open.read(at)) {
                var text = ByteString.copyOf(file.head(LONGEST)).utf8().map(String::strip);
                return text.filter(LinkedWorktree::isPath);
            }
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static boolean isPath(String text) {
        try {
            return text.length() < LONGEST - 1
                    && text.chars().noneMatch(c -> c == '\n' || c == 0)
                    && Path.of(text).getNameCount() >= 0
                    && StandardCharsets.UTF_8.newEncoder().canEncode(text);
        } catch (InvalidPathException _) {
            return false;
        }
    }

    /// As git sees it; no part of it is a link.
    private static boolean isGitFolder(Path folder) {
        try (var open = HostFolder.open(ByteString.of(folder.toString()))) {
            return open.look(ByteString.of("HEAD")).filter(HostEntry::isFile).isPresent()
                    && isFolder(open, "objects")
                    && isFolder(open, "refs");
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean isFolder(HostFolder folder, String name) throws IOException {
        return folder.look(ByteString.of(name)).filter(HostEntry::isFolder).isPresent();
    }
}
