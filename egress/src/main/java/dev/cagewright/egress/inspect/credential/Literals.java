package dev.cagewright.egress.inspect.credential;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds all of many literals at once, one step a byte (Aho and Corasick 1975, as a table without failure steps).
/// Immutable and safe for all threads.
final class Literals {
    private static final int NONE = -1;

    private final char[] next;
    private final int[][] found;

    private Literals(char[] next, int[][] found) {
        this.next = next;
        this.found = found;
    }

    /// @param literals not empty each, of less than 65,536 characters together; what is found is told by its index
    static Literals of(List<String> literals) {
        var building = new Building(literals.stream().mapToInt(String::length).sum() + 1);
        for (int i = 0; i < literals.size(); i++) {
            building.add(literals.get(i).getBytes(StandardCharsets.ISO_8859_1), i);
        }
        return building.finish();
    }

    /// The state after `value` in `state`; 0 is where it begins.
    int next(int state, int value) {
        return next[(state << 8) | value];
    }

    /// The literals that end in `state`.
    int[] found(int state) {
        return found[state];
    }

    private static final class Building {
        private final int[] next;
        private final List<List<Integer>> found = new ArrayList<>();

        Building(int mostStates) {
            next = new int[mostStates << 8];
            Arrays.fill(next, NONE);
            found.add(new ArrayList<>());
        }

        void add(byte[] literal, int index) {
            int state = 0;
            for (byte b : literal) {
                int at = (state << 8) | (b & 0xff);
                if (next[at] == NONE) {
                    next[at] = found.size();
                    found.add(new ArrayList<>());
                }
                state = next[at];
            }
            found.get(state).add(index);
        }

        /// Breadth first: where a state has no way on, it has the way of its longest proper suffix.
        Literals finish() {
            var suffix = new int[found.size()];
            var queue = new ArrayDeque<Integer>();
            queue.add(0);
            while (!queue.isEmpty()) {
                int state = queue.remove();
                for (int value = 0; value < 256; value++) {
                    int at = (state << 8) | value;
                    int instead = state == 0 ? 0 : next[(suffix[state] << 8) | value];
                    if (next[at] == NONE) {
                        next[at] = instead;
                    } else {
                        suffix[next[at]] = instead;
                        found.get(next[at]).addAll(found.get(instead));
                        queue.add(next[at]);
                    }
                }
            }
            var table = new char[found.size() << 8];
            for (int i = 0; i < table.length; i++) {
                table[i] = (char) next[i];
            }
            return new Literals(
                    table,
                    found.stream()
                            .map(list ->
                                    list.stream().mapToInt(Integer::intValue).toArray())
                            .toArray(int[][]::new));
        }
    }
}
