package dev.cagewright.supervisor.changes.diff;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The lines of two texts, and the fewest blocks of lines that turn one into the other (E. W. Myers, An O(ND)
/// Difference Algorithm and Its Variations, 1986). Where more than [#EDIT_LIMIT] lines differ, what lies between the
/// first and the last difference is one block: right, and not the smallest.
///
/// @param before lines with their line feeds; the last one may have none
/// @param blocks in order, none empty on both sides
public record LineDiff(List<ByteString> before, List<ByteString> after, List<Block> blocks) {
    /// Bounds the work at the square of this, and the memory with it.
    static final int EDIT_LIMIT = 2_000;

    /// Lines `beforeFrom` to before `beforeTo` become `afterFrom` to before `afterTo`; from 0.
    public record Block(int beforeFrom, int beforeTo, int afterFrom, int afterTo) {}

    public LineDiff {
        before = List.copyOf(before);
        after = List.copyOf(after);
        blocks = List.copyOf(blocks);
    }

    public static LineDiff of(byte[] before, byte[] after) {
        var old = lines(before);
        var fresh = lines(after);
        var numbers = new HashMap<ByteString, Integer>();
        int[] a = numbered(old, numbers);
        int[] b = numbered(fresh, numbers);
        int start = 0;
        while (start < Math.min(a.length, b.length) && a[start] == b[start]) {
            start++;
        }
        int tail = 0;
        while (tail < Math.min(a.length, b.length) - start && a[a.length - 1 - tail] == b[b.length - 1 - tail]) {
            tail++;
        }
        var middle = new Middle(
                Arrays.copyOfRange(a, start, a.length - tail), Arrays.copyOfRange(b, start, b.length - tail), start);
        return new LineDiff(old, fresh, middle.blocks());
    }

    public int added() {
        return blocks.stream()
                .mapToInt(block -> block.afterTo - block.afterFrom)
                .sum();
    }

    public int removed() {
        return blocks.stream()
                .mapToInt(block -> block.beforeTo - block.beforeFrom)
                .sum();
    }

    private static List<ByteString> lines(byte[] text) {
        var lines = new ArrayList<ByteString>();
        int from = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                lines.add(ByteString.copyOf(Arrays.copyOfRange(text, from, i + 1)));
                from = i + 1;
            }
        }
        if (from < text.length) {
            lines.add(ByteString.copyOf(Arrays.copyOfRange(text, from, text.length)));
        }
        return lines;
    }

    private static int[] numbered(List<ByteString> lines, Map<ByteString, Integer> numbers) {
        return lines.stream()
                .mapToInt(line -> numbers.computeIfAbsent(line, _ -> numbers.size()))
                .toArray();
    }

    /// What is left between the common start and the common end.
    private static final class Middle {
        private final int[] a;
        private final int[] b;
        private final int offset;

        Middle(int[] a, int[] b, int offset) {
            this.a = a;
            this.b = b;
            this.offset = offset;
        }

        List<Block> blocks() {
            if (a.length == 0 && b.length == 0) {
                return List.of();
            }
            var trace = new ArrayList<int[]>();
            int edits = a.length == 0 || b.length == 0 ? -1 : search(trace);
            if (edits < 0) {
                return List.of(new Block(offset, offset + a.length, offset, offset + b.length));
            }
            return merged(walkBack(trace, edits));
        }

        /// Fills `trace` with the furthest reaching points of each number of edits; -1 if there are too many.
        private int search(List<int[]> trace) {
            int limit = Math.min(EDIT_LIMIT, a.length + b.length);
            var reach = new int[2 * limit + 3];
            int middle = limit + 1;
            for (int edits = 0; edits <= limit; edits++) {
                for (int k = -edits; k <= edits; k += 2) {
                    int x = next(reach, middle, k, edits);
                    int y = x - k;
                    while (x < a.length && y < b.length && a[x] == b[y]) {
                        x++;
                        y++;
                    }
                    reach[middle + k] = x;
                    if (x >= a.length && y >= b.length) {
                        trace.add(Arrays.copyOfRange(reach, middle - edits, middle + edits + 1));
                        return edits;
                    }
                }
                trace.add(Arrays.copyOfRange(reach, middle - edits, middle + edits + 1));
            }
            return -1;
        }

        private static int next(int[] reach, int middle, int k, int edits) {
            boolean down = k == -edits || (k != edits && reach[middle + k - 1] < reach[middle + k + 1]);
            return down ? reach[middle + k + 1] : reach[middle + k - 1] + 1;
        }

        /// One block for each edited line, last first.
        private List<Block> walkBack(List<int[]> trace, int edits) {
            var single = new ArrayList<Block>();
            int x = a.length;
            int y = b.length;
            for (int d = edits; d > 0; d--) {
                int k = x - y;
                var reach = trace.get(d - 1);
                boolean down = k == -d || (k != d && at(reach, d, k - 1) < at(reach, d, k + 1));
                int fromK = down ? k + 1 : k - 1;
                x = at(reach, d, fromK);
                y = x - fromK;
                single.add(down ? new Block(x, x, y, y + 1) : new Block(x, x + 1, y, y));
            }
            return single.reversed();
        }

        /// How far diagonal `k` reached with one edit less than `d`; -1 where it was not.
        private static int at(int[] reach, int d, int k) {
            int index = k + d - 1;
            return index < 0 || index >= reach.length ? -1 : reach[index];
        }

        private List<Block> merged(List<Block> single) {
            var blocks = new ArrayList<Block>();
            for (Block next : single) {
                var last = blocks.isEmpty() ? new Block(-1, -1, -1, -1) : blocks.getLast();
                if (last.beforeTo == next.beforeFrom + offset && last.afterTo == next.afterFrom + offset) {
                    blocks.removeLast();
                    blocks.add(
                            new Block(last.beforeFrom, next.beforeTo + offset, last.afterFrom, next.afterTo + offset));
                } else {
                    blocks.add(new Block(
                            next.beforeFrom + offset,
                            next.beforeTo + offset,
                            next.afterFrom + offset,
                            next.afterTo + offset));
                }
            }
            return blocks;
        }
    }
}
