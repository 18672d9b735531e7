package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Line;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Holds names free while cages run: an empty thing stands there, is masked, and goes away afterwards. Sessions in
/// one workspace share a placeholder and the last one removes it; what a killed process left is removed by the
/// next one. A directory is only ever removed by rmdir(2) and a file only with the very content it was made with,
/// or the beginning of it, so nobody's data goes. Safe for all threads and processes that use the same ledger folder.
public final class Placeholders {
    private static final String FILLED =
            "was held free and somebody outside of the cage filled it meanwhile: left as it is";

    private final Path ledgerFolder;

    /// @param ledgerFolder one for all sessions of a person; made with mode 0700 if missing
    public Placeholders(Path ledgerFolder) {
        this.ledgerFolder = ledgerFolder;
    }

    /// What one session holds free.
    ///
    /// @param standing every placeholder of the plan that stands now, made here or shared
    /// @param masks those of the plan that have something to sit on: what the cage is built with
    /// @param refused placeholders that could not be made; [AfterRun] looks at these names
    public record Held(String session, List<Placeholder> standing, List<Mask> masks, List<Notice> refused) {
        public Held {
            standing = List.copyOf(standing);
            masks = List.copyOf(masks);
            refused = List.copyOf(refused);
        }
    }

    /// Makes the plan's placeholders for `session`. They are in the ledger, on disk, before the first one stands.
    ///
    /// @throws IOException if the ledger cannot be written; then none stands
    public Held create(String session, ProtectionPlan plan) throws IOException {
        try (var ledger = PlaceholderLedger.open(ledgerFolder)) {
            removeDead(ledger);
            var owner = Owner.self();
            var workspace =
                    ByteString.copyOf(TreePath.latin1Of(plan.workspace()).getBytes(StandardCharsets.ISO_8859_1));
            var before = ledger.lines();
            var lines = new ArrayList<>(before);
            var mine = new ArrayList<Placeholder>();
            for (Placeholder wanted : plan.placeholders()) {
                var line = new Line(session, owner, workspace, wanted.path(), wanted.filler());
                boolean absent = Shape.of(wanted.at().on(plan.workspace())) == Shape.ABSENT;
                if (absent || before.stream().anyMatch(line::isSamePlace)) {
                    lines.add(line);
                    mine.add(wanted);
                }
            }
            ledger.write(lines);
            return make(session, plan, mine);
        }
    }

    private static Held make(String session, ProtectionPlan plan, List<Placeholder> wanted) {
        var standing = new ArrayList<Placeholder>();
        var refused = new ArrayList<Notice>();
        for (Placeholder one : wanted) {
            try {
                make(plan.workspace(), one);
                standing.add(one);
            } catch (IOException e) {
                refused.add(new Notice(
                        Notice.Kind.UNPROTECTED,
                        one.path(),
                        "cannot be held free (" + reason(e) + "): it is looked at after the run"));
            }
        }
        var nowhere = refused.stream().map(Notice::path).toList();
        var masks = plan.masks().stream()
                .filter(mask -> !nowhere.contains(mask.path()))
                .toList();
        return new Held(session, standing, masks, refused);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case FileAlreadyExistsException _ -> "something else stands there";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default -> e.getClass().getSimpleName();
        };
    }

    private static void make(Path workspace, Placeholder one) throws IOException {
        var path = one.at().on(workspace);
        try (var _ = Folder.descend(workspace, one.at().parent())) {
            switch (one.filler()) {
                case DIRECTORY -> Files.createDirectory(path);
                case EMPTY_FILE, OWN_DIRECTORY_FILE ->
                    Files.write(path, one.filler().content(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            }
        } catch (FileAlreadyExistsException e) {
            if (!isUntouched(workspace, one)) {
                throw e;
            }
        }
    }

    static boolean isUntouched(Path workspace, Placeholder one) throws IOException {
        try (var parent = Folder.descend(workspace, one.at().parent())) {
            var path = one.at().on(workspace);
            return switch (one.filler()) {
                case DIRECTORY -> parent.look(path).isDirectory();
                case EMPTY_FILE, OWN_DIRECTORY_FILE ->
                    hasContent(parent, path, one.filler().content());
            };
        }
    }

    private static boolean hasContent(Folder parent, Path path, byte[] content) throws IOException {
        return parent.look(path).isRegularFile()
                && Arrays.equals(parent.read(path).getBytes(StandardCharsets.ISO_8859_1), content);
    }

    /// Its maker may have been killed before it had written all of it.
    private static boolean isRemnant(Folder parent, Path path, byte[] content) throws IOException {
        if (!parent.look(path).isRegularFile()) {
            return false;
        }
        var there = parent.read(path).getBytes(StandardCharsets.ISO_8859_1);
        return there.length <= content.length && Arrays.equals(there, 0, there.length, content, 0, there.length);
    }

    /// Removes what `session` held and nobody else holds. Call it after the last process of the cage is dead.
    ///
    /// @return what somebody filled meanwhile and so stays
    /// @throws IOException if the ledger cannot be written; the next session tries again
    public List<Notice> remove(String session) throws IOException {
        try (var ledger = PlaceholderLedger.open(ledgerFolder)) {
            return removeDead(ledger, session);
        }
    }

    /// Removes what processes that are dead by now left behind, in all workspaces.
    ///
    /// @return what somebody filled meanwhile and so stays
    /// @throws IOException if the ledger cannot be read or written
    public List<Notice> recover() throws IOException {
        try (var ledger = PlaceholderLedger.open(ledgerFolder)) {
            return removeDead(ledger);
        }
    }

    private static List<Notice> removeDead(PlaceholderLedger ledger, String... ended) throws IOException {
        var over = Arrays.asList(ended);
        var gone = new ArrayList<Line>();
        var kept = new ArrayList<Line>();
        for (Line line : ledger.lines()) {
            (over.contains(line.session()) || !line.owner().isAlive() ? gone : kept).add(line);
        }
        if (gone.isEmpty()) {
            return List.of();
        }
        var notices = new ArrayList<Notice>();
        // Children were listed after their parents, so the last line goes first.
        var stuck = new ArrayList<Line>();
        for (Line line : gone.reversed()) {
            if (kept.stream().noneMatch(line::isSamePlace)) {
                takeAway(line, stuck, notices);
            }
        }
        kept.addAll(stuck.reversed());
        ledger.write(kept);
        return notices;
    }

    /// @param stuck gets the line when what stands there is still what was made and could not be removed
    private static void takeAway(Line line, List<Line> stuck, List<Notice> notices) {
        var workspace = TreePath.pathOf(line.workspace().toByteArray());
        var at = new TreePath(line.path().latin1());
        var path = at.on(workspace);
        try (var parent = Folder.descend(workspace, at.parent())) {
            switch (line.filler()) {
                case DIRECTORY -> parent.removeDirectory(path);
                case EMPTY_FILE, OWN_DIRECTORY_FILE -> {
                    if (isRemnant(parent, path, line.filler().content())) {
                        parent.removeFile(path);
                    } else {
                        stays(line, FILLED, notices);
                    }
                }
            }
        } catch (DirectoryNotEmptyException _) {
            stays(line, FILLED, notices);
        } catch (IOException e) {
            couldNot(line, Shape.of(path), e, stuck, notices);
        }
    }

    private static void couldNot(Line line, Shape there, IOException e, List<Line> stuck, List<Notice> notices) {
        boolean isReplaced = (line.filler() == Placeholder.Filler.DIRECTORY) != (there == Shape.DIRECTORY);
        if (there == Shape.ABSENT) {
            return;
        }
        if (isReplaced) {
            stays(line, FILLED, notices);
            return;
        }
        stuck.add(line);
        stays(line, "was held free and cannot be removed (" + reason(e) + "): the next run tries again", notices);
    }

    /// Removes `one` from `copy` if it is as it was made.
    ///
    /// @throws IOException if it is not, or is not there
    static void takeAway(Path copy, Placeholder one) throws IOException {
        var path = one.at().on(copy);
        try (var parent = Folder.descend(copy, one.at().parent())) {
            switch (one.filler()) {
                case DIRECTORY -> parent.removeDirectory(path);
                case EMPTY_FILE, OWN_DIRECTORY_FILE -> {
                    if (!hasContent(parent, path, one.filler().content())) {
                        throw new FileAlreadyExistsException(path.toString());
                    }
                    parent.removeFile(path);
                }
            }
        }
    }

    private static void stays(Line line, String why, List<Notice> notices) {
        notices.add(new Notice(Notice.Kind.UNPROTECTED, line.path(), why));
    }

    /// Holds names free in a session's copy of the workspace: the host's directory gets no placeholder, and nobody else
    /// works in the copy, so there is no ledger. Directories above a placeholder are made as an overlay's own
    /// copy-up
    /// makes them, with the host's owner, permissions and times. For one thread; nothing of a cage may live.
    public static final class Copied {
        private static final LinkOption NO_LINKS = LinkOption.NOFOLLOW_LINKS;

        private final ProtectionPlan plan;
        private final Path copy;
        private final Map<TreePath, Integer> parents = new LinkedHashMap<>();

        private Copied(ProtectionPlan plan, Path copy) {
            this.plan = plan;
            this.copy = copy;
        }

        /// Placeholders of `plan` in `copy`; makes none yet.
        ///
        /// @param copy the upper layer of an overlay above the plan's workspace, or a whole copy of it; no cage
        ///     has it
        public static Copied in(Path copy, ProtectionPlan plan) {
            return new Copied(plan, copy);
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
                            "cannot be held free (" + e.getClass().getSimpleName()
                                    + "): what appears there stays in the "
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
                        Files.write(
                                path, one.filler().content(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
}
