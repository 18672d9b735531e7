package dev.cagewright.supervisor.changes.diff;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.changes.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Changes as one patch in git's form, read from the trees while it is written. Directories are not in it, as git
/// has none; what is no text, or more than [#TEXT_LIMIT], is named without its content.
public final class Patch {
    /// Larger files are not compared line by line, bytes.
    public static final int TEXT_LIMIT = 4 << 20;

    private static final int LOOKED_AT = 8_000;
    private static final int EXECUTE_BY_OWNER = 0100;
    private static final byte[] NOTHING = {};

    private final CopyTrees trees;
    private final Sink sink;

    /// @param sink hears line by line, each with its line feed
    public Patch(CopyTrees trees, Sink sink) {
        this.trees = trees;
        this.sink = sink;
    }

    /// Takes the lines of a patch.
    @FunctionalInterface
    public interface Sink {
        void take(Line kind, byte[] line);
    }

    /// What a line of a patch is.
    public enum Line {
        /// About the file, or a note that `git apply` skips.
        HEAD(' '),
        HUNK('@'),
        CONTEXT(' '),
        ADDED('+'),
        REMOVED('-');

        private final char sign;

        Line(char sign) {
            this.sign = sign;
        }

        char sign() {
            return sign;
        }
    }

    /// How many lines came and went; empty for what has no lines.
    public record Count(int added, int removed) {}

    /// Counts the lines of one change.
    public Optional<Count> count(Difference difference) throws IOException {
        var sides = sides(difference.change());
        var before = sides.before.isEmpty() ? Optional.of(NOTHING) : textOf(sides.before.get(), beforeBytes(sides));
        var after = sides.after.isEmpty() ? Optional.of(NOTHING) : textOf(sides.after.get(), afterBytes(sides));
        if (before.isEmpty() || after.isEmpty()) {
            return Optional.empty();
        }
        var diff = LineDiff.of(before.get(), after.get());
        return Optional.of(new Count(diff.added(), diff.removed()));
    }

    /// Writes one change.
    public void write(Difference difference) throws IOException {
        difference.conflict().ifPresent(why -> head("# " + difference.path() + ": conflict: " + why));
        var sides = sides(difference.change());
        boolean retyped = sides.before.isPresent()
                && sides.after.isPresent()
                && sides.before.get() instanceof Node.Link != sides.after.get() instanceof Node.Link;
        if (retyped) {
            one(new Sides(sides.path, sides.before, Optional.empty()));
            one(new Sides(sides.path, Optional.empty(), sides.after));
        } else {
            one(sides);
        }
    }

    /// Writes what the host gets when its change and the copy's are put together.
    ///
    /// @param merged the whole text
    public void writeMerged(Difference difference, byte[] merged) throws IOException {
        var path = difference.path();
        head("# " + path + ": the host changed it too; both changes fit together, and apply brings them together");
        var diff = LineDiff.of(trees.hostBytes(path, TEXT_LIMIT + 1).orElse(NOTHING), merged);
        if (!diff.blocks().isEmpty()) {
            head("diff --git " + quoted("a/", path) + " " + quoted("b/", path));
            head("--- " + ended(quoted("a/", path)));
            head("+++ " + ended(quoted("b/", path)));
            new UnifiedText(diff, sink).write();
        }
    }

    /// Writes lines that no tool takes for a part of the patch.
    public void remark(List<ByteString> lines) {
        for (ByteString line : lines) {
            sink.take(Line.HEAD, ("# " + line.latin1()).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private record Sides(RelativePath path, Optional<Node> before, Optional<Node> after) {}

    private static Sides sides(Change change) {
        return switch (change) {
            case Change.Added(var path, var after) -> new Sides(path, Optional.empty(), Optional.of(after));
            case Change.Deleted(var path, var before) -> new Sides(path, Optional.of(before), Optional.empty());
            case Change.Modified(var path, var before, var after) ->
                new Sides(path, Optional.of(before), Optional.of(after));
            case Change.ModeChanged(var path, var before, var after) ->
                new Sides(path, Optional.of(before), Optional.of(after));
        };
    }

    private void one(Sides sides) throws IOException {
        var node = sides.after.or(sides::before).orElseThrow();
        if (node instanceof Node.Folder) {
            return;
        }
        if (node instanceof Node.Special(String word)) {
            head("# " + sides.path + ": " + word + ", not shown");
            return;
        }
        var old = quoted("a/", sides.path);
        var fresh = quoted("b/", sides.path);
        var before = sides.before.isEmpty() ? Optional.of(NOTHING) : textOf(sides.before.get(), beforeBytes(sides));
        var after = sides.after.isEmpty() ? Optional.of(NOTHING) : textOf(sides.after.get(), afterBytes(sides));
        boolean shown = modes(sides, "diff --git " + old + " " + fresh);
        if (before.isEmpty() || after.isEmpty()) {
            shown(shown, "diff --git " + old + " " + fresh);
            head("Binary files " + (sides.before.isEmpty() ? "/dev/null" : old) + " and "
                    + (sides.after.isEmpty() ? "/dev/null" : fresh) + " differ");
            return;
        }
        var diff = LineDiff.of(before.get(), after.get());
        if (!diff.blocks().isEmpty()) {
            shown(shown, "diff --git " + old + " " + fresh);
            head("--- " + (sides.before.isEmpty() ? "/dev/null" : ended(old)));
            head("+++ " + (sides.after.isEmpty() ? "/dev/null" : ended(fresh)));
            new UnifiedText(diff, sink).write();
        }
    }

    private void shown(boolean already, String line) {
        if (!already) {
            head(line);
        }
    }

    /// Writes `title` and what git says of modes, if it says anything.
    private boolean modes(Sides sides, String title) {
        if (sides.before.isEmpty()) {
            head(title);
            head("new file mode " + mode(sides.after.orElseThrow()));
            return true;
        }
        var old = mode(sides.before.get());
        if (sides.after.isEmpty()) {
            head(title);
            head("deleted file mode " + old);
            return true;
        }
        var fresh = mode(sides.after.get());
        if (old.equals(fresh)) {
            return false;
        }
        head(title);
        head("old mode " + old);
        head("new mode " + fresh);
        return true;
    }

    /// Git knows two modes of files.
    private static String mode(Node node) {
        return switch (node) {
            case Node.File(int mode, var _, var _) -> (mode & EXECUTE_BY_OWNER) != 0 ? "100755" : "100644";
            case Node.Link _ -> "120000";
            case Node.Folder _, Node.Special _ -> "000000";
        };
    }

    private Optional<byte[]> beforeBytes(Sides sides) throws IOException {
        return trees.hostBytes(sides.path, TEXT_LIMIT + 1);
    }

    private Optional<byte[]> afterBytes(Sides sides) throws IOException {
        return trees.upperBytes(sides.path, TEXT_LIMIT + 1);
    }

    /// What a node has as text; empty if it has none.
    private static Optional<byte[]> textOf(Node node, Optional<byte[]> bytes) {
        return switch (node) {
            case Node.Link(ByteString text) -> Optional.of(text.toByteArray());
            case Node.File _ -> bytes.filter(Patch::isText);
            case Node.Folder _, Node.Special _ -> Optional.empty();
        };
    }

    /// Is it text, and not too much to be compared line by line?
    public static boolean isText(byte[] bytes) {
        if (bytes.length > TEXT_LIMIT) {
            return false;
        }
        for (int i = 0; i < Math.min(bytes.length, LOOKED_AT); i++) {
            if (bytes[i] == 0) {
                return false;
            }
        }
        return true;
    }

    private void head(String line) {
        sink.take(Line.HEAD, (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// A name with a blank needs an end that a reader can see.
    private static String ended(String name) {
        return name.indexOf(' ') >= 0 && name.charAt(0) != '"' ? name + "\t" : name;
    }

    /// As git quotes names: in double quotes with octal numbers, if there is need to.
    private static String quoted(String side, RelativePath path) {
        var out = new StringBuilder();
        boolean plain = true;
        for (byte b : path.bytes().toByteArray()) {
            if (b < 0x20 || b == 0x7f || b == '"' || b == '\\') {
                plain = false;
                out.append(b == '"' || b == '\\' ? "\\" + (char) b : octal(b));
            } else {
                out.append((char) b);
            }
        }
        return plain ? side + out : "\"" + side + out + "\"";
    }

    private static String octal(byte b) {
        return String.format(Locale.ROOT, "\\%03o", b & 0xff);
    }
}
