package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.protect.Placeholders.Held;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Holds names free in a session's copy of the workspace: the host's directory gets no placeholder, and nobody else
/// works in the copy, so there is no ledger. Directories above a placeholder are made as an overlay's own copy-up
/// makes them, with the host's owner, permissions and times. For one thread; nothing of a cage may live.
public final class CopiedPlaceholders {
    private static final LinkOption NO_LINKS = LinkOption.NOFOLLOW_LINKS;

    private final ProtectionPlan plan;
    private final Path copy;
    private final Map<TreePath, Integer> parents = new LinkedHashMap<>();

    private CopiedPlaceholders(ProtectionPlan plan, Path copy) {
        this.plan = plan;
        this.copy = copy;
    }

    /// Placeholders of `plan` in `copy`; makes none yet.
    ///
    /// @param copy the upper layer of an overlay above the plan's workspace, or a whole copy of it; no cage has it
    public static CopiedPlaceholders in(Path copy, ProtectionPlan plan) {
        return new CopiedPlaceholders(plan, copy);
    }

    /// Makes the plan's placeholders.
    ///
    /// @return what stands, the masks that have something to sit on, and what could not be made
    public Held create(String session) {
        var standing = new ArrayList<Placeholder>();
        var refused = new ArrayList<Notice>();
        for (Placeholder one : plan.placeholders()) {
            try {
                makeParents(one.at().parent());
                make(one);
                standing.add(one);
            } catch (IOException e) {
                refused.add(new Notice(
                        Notice.Kind.UNPROTECTED,
                        one.path(),
                        "cannot be held free (" + e.getClass().getSimpleName() + "): what appears there stays in the "
                                + "copy, and is refused when changes are applied"));
            }
        }
        var nowhere = refused.stream().map(Notice::path).toList();
        var masks = plan.masks().stream()
                .filter(mask -> !nowhere.contains(mask.path()))
                .toList();
        return new Held(session, standing, masks, refused);
    }

    /// The paths of all placeholders that [#create] may make.
    public static List<ByteString> paths(ProtectionPlan plan) {
        return plan.placeholders().stream().map(Placeholder::path).toList();
    }

    private void makeParents(TreePath directory) throws IOException {
        var at = TreePath.TOP;
        for (String name : directory.names()) {
            at = at.child(name);
            var made = at.on(copy);
            if (!Files.isDirectory(made, NO_LINKS)) {
                var host = at.on(plan.workspace());
                Files.createDirectory(made);
                likeHost(host, made);
                parents.put(at, mode(host));
            }
        }
    }

    /// The owner first: a change of the owner takes bits of the mode away.
    private static void likeHost(Path host, Path made) throws IOException {
        give(made, host);
        Files.setAttribute(made, "unix:mode", mode(host), NO_LINKS);
        var times = Files.getFileAttributeView(host, BasicFileAttributeView.class, NO_LINKS)
                .readAttributes();
        Files.getFileAttributeView(made, BasicFileAttributeView.class, NO_LINKS)
                .setTimes(times.lastModifiedTime(), times.lastAccessTime(), null);
    }

    private static void give(Path made, Path like) throws IOException {
        for (String number : List.of("unix:uid", "unix:gid")) {
            var wanted = Files.getAttribute(like, number, NO_LINKS);
            if (!wanted.equals(Files.getAttribute(made, number, NO_LINKS))) {
                Files.setAttribute(made, number, wanted, NO_LINKS);
            }
        }
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", NO_LINKS);
    }

    private void make(Placeholder one) throws IOException {
        var path = one.at().on(copy);
        try {
            switch (one.filler()) {
                case DIRECTORY -> Files.createDirectory(path);
                case EMPTY_FILE, OWN_DIRECTORY_FILE ->
                    Files.write(path, one.filler().content(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
            give(path, one.at().parent().on(copy));
        } catch (FileAlreadyExistsException e) {
            if (!Placeholders.isUntouched(copy, one)) {
                throw e;
            }
        }
    }

    /// Takes away what stands, and the directories above as far as nothing else came into them.
    ///
    /// @return what is not as it was made and so stays
    public List<Notice> remove(Held held) {
        var notices = new ArrayList<Notice>();
        for (Placeholder one : held.standing().reversed()) {
            try {
                Placeholders.takeAway(copy, one);
            } catch (NoSuchFileException _) {
                // nothing to take away
            } catch (IOException _) {
                notices.add(new Notice(
                        Notice.Kind.UNPROTECTED,
                        one.path(),
                        "was held free and is not as it was: it stays in the copy"));
            }
        }
        new ArrayList<>(parents.keySet()).reversed().forEach(this::removeParent);
        return notices;
    }

    /// Only while it is what was made here: an empty directory that somebody changed is a change.
    /// Protected names that were absent, were not held free, and stand in the copy now.
    public List<Notice> appeared(Held held) {
        var candidates = new TreeSet<>(plan.atStart().watched());
        held.refused()
                .forEach(notice -> candidates.add(new TreePath(notice.path().latin1())));
        return candidates.stream()
                .filter(at -> Shape.of(at.on(copy)) != Shape.ABSENT)
                .map(at -> new Notice(
                        Notice.Kind.UNPROTECTED,
                        at.bytes(),
                        "was absent and protected and came into being during the run: it is in the copy only"))
                .toList();
    }

    private void removeParent(TreePath at) {
        try (var above = Folder.descend(copy, at.parent())) {
            if (Integer.valueOf(mode(at.on(copy))).equals(parents.get(at))) {
                above.removeDirectory(at.on(copy));
            }
        } catch (DirectoryNotEmptyException _) {
            return; // the program changed something in it
        } catch (IOException _) {
            return; // it stays, and looks as the host's does
        }
    }
}
