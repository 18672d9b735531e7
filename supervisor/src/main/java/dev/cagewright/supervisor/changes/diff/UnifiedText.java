package dev.cagewright.supervisor.changes.diff;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.changes.diff.LineDiff.Block;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A [LineDiff] as hunks with three lines around each change.
final class UnifiedText {
    private static final int CONTEXT = 3;
    private static final byte[] NO_LINE_FEED = "\\ No newline at end of file\n".getBytes(StandardCharsets.US_ASCII);

    private final LineDiff diff;
    private final Patch.Sink sink;

    UnifiedText(LineDiff diff, Patch.Sink sink) {
        this.diff = diff;
        this.sink = sink;
    }

    void write() {
        var group = new ArrayList<Block>();
        for (Block block : diff.blocks()) {
            if (!group.isEmpty() && block.beforeFrom() - group.getLast().beforeTo() > 2 * CONTEXT) {
                hunk(group);
                group.clear();
            }
            group.add(block);
        }
        if (!group.isEmpty()) {
            hunk(group);
        }
    }

    private void hunk(List<Block> group) {
        var first = group.getFirst();
        var last = group.getLast();
        int lead = Math.min(CONTEXT, first.beforeFrom());
        int from = first.beforeFrom() - lead;
        int to = Math.min(diff.before().size(), last.beforeTo() + CONTEXT);
        int afterFrom = first.afterFrom() - lead;
        int afterTo = last.afterTo() + (to - last.beforeTo());
        sink.take(Patch.Line.HUNK, ascii("@@ -" + range(from, to) + " +" + range(afterFrom, afterTo) + " @@\n"));
        int at = from;
        for (Block block : group) {
            lines(Patch.Line.CONTEXT, diff.before().subList(at, block.beforeFrom()));
            lines(Patch.Line.REMOVED, diff.before().subList(block.beforeFrom(), block.beforeTo()));
            lines(Patch.Line.ADDED, diff.after().subList(block.afterFrom(), block.afterTo()));
            at = block.beforeTo();
        }
        lines(Patch.Line.CONTEXT, diff.before().subList(at, to));
    }

    /// Line numbers count from 1; an empty range names the line before it.
    private static String range(int from, int to) {
        int count = to - from;
        int start = count == 0 ? from : from + 1;
        return count == 1 ? String.valueOf(start) : start + "," + count;
    }

    private void lines(Patch.Line kind, List<ByteString> lines) {
        for (ByteString line : lines) {
            var bytes = line.toByteArray();
            boolean ends = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
            var out = new byte[bytes.length + (ends ? 1 : 2)];
            out[0] = (byte) kind.sign();
            System.arraycopy(bytes, 0, out, 1, bytes.length);
            out[out.length - 1] = '\n';
            sink.take(kind, out);
            if (!ends) {
                sink.take(Patch.Line.HEAD, NO_LINE_FEED);
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
