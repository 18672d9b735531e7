package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Line;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Holds names free while cages run: an empty thing stands there, is masked, and goes away afterwards. Sessions in
/// one workspace share a placeholder and the last one removes it; what a killed process left is removed by the
/// next one. A directory is only ever removed by rmdir(2) and a file only with the very content it was made with,
/// or the beginning of it, so nobody's data goes. Safe for all threads and processes that use the same ledger folder.
public final class Placeholders {
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
        for (Line line : gone.reversed()) {
            if (kept.stream().noneMatch(line::isSamePlace)) {
                takeAway(line, notices);
            }
        }
        ledger.write(kept);
        return notices;
    }

    private static void takeAway(Line line, List<Notice> notices) {
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
                        stays(line, notices);
                    }
                }
            }
        } catch (IOException _) {
            if (Shape.of(path) != Shape.ABSENT) {
                stays(line, notices);
            }
        }
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

    private static void stays(Line line, List<Notice> notices) {
        notices.add(new Notice(
                Notice.Kind.UNPROTECTED,
                line.path(),
                "was held free and somebody outside of the cage filled it meanwhile: left as it is"));
    }
}
