package dev.cagewright.supervisor.schema.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// A regular expression in the notation of ECMA-262, without references back, looking around and `\b`. Looked for
/// anywhere in a text, as JSON Schema wants it. All ways through the pattern are followed at once, and sets of states
/// that were met are remembered, so that a character costs a bounded number of steps. Safe for all threads, which take
/// turns.
public final class LinearPattern {
    /// The longest pattern, in characters.
    public static final int LONGEST = 1_024;

    /// The longest text that is searched, in characters.
    public static final int LONGEST_TEXT = 1 << 20;

    /// Steps that one search may take; a few hundredths of a second.
    private static final long MOST_STEPS = 20_000_000;

    /// Ways from a set of states to another.
    private static final int MOST_REMEMBERED = 200_000;

    private static final int UNKNOWN = -1;

    private final String text;
    private final Program program;
    private final int[] bounds;
    private final Map<BitSet, Integer> numbers = new HashMap<>();
    private final List<Met> met = new ArrayList<>();
    private long steps;

    /// A set of states that was met.
    private static final class Met {
        private final BitSet states;
        private final Ends ends;

        /// The number of the set behind each class of characters, as far as known.
        private final int[] onward;

        Met(BitSet states, Ends ends, int classes) {
            this.states = states;
            this.ends = ends;
            this.onward = new int[classes];
            Arrays.fill(onward, UNKNOWN);
        }
    }

    private enum Ends {
        FOUND,
        FOUND_AT_END,
        NOT_YET
    }

    private LinearPattern(String text, Program program) {
        this.text = text;
        this.program = program;
        this.bounds = bounds(program);
    }

    /// Reads a pattern.
    ///
    /// @throws IllegalArgumentException saying what is wrong with it and where
    public static LinearPattern of(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a pattern of " + text.length() + " characters (at most " + LONGEST + ")");
        }
        return new LinearPattern(text, Program.of(ExpressionReader.read(text)));
    }

    /// Where one class of characters ends and another begins: within one, all sets of the pattern agree.
    private static int[] bounds(Program program) {
        var all = new TreeSet<Integer>();
        for (int state = 0; state < program.size(); state++) {
            if (program.step(state) == Program.Step.TAKE) {
                for (var range : program.set(state).ranges()) {
                    all.add(range.from());
                    all.add(range.to() + 1);
                }
            }
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    private int classOf(int point) {
        int found = Arrays.binarySearch(bounds, point);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /// Does it stand anywhere in `searched`?
    ///
    /// @throws IllegalArgumentException if that takes too long to say, or the text is too long
    public synchronized boolean isIn(String searched) {
        if (searched.length() > LONGEST_TEXT) {
            throw new IllegalArgumentException(
                    searched.length() + " characters are too many for a pattern (at most " + LONGEST_TEXT + ")");
        }
        steps = 0;
        int here = number(closure(new BitSet(), Place.BEGIN));
        for (int at = 0; at < searched.length(); ) {
            if (met.get(here).ends == Ends.FOUND) {
                return true;
            }
            int point = searched.codePointAt(at);
            here = onward(here, point);
            at += Character.charCount(point);
        }
        // at the very beginning ^ holds, and in an empty text $ as well
        return met.get(here).ends != Ends.NOT_YET
                || (searched.isEmpty() && closure(new BitSet(), Place.EMPTY).get(0));
    }

    private int onward(int from, int point) {
        int kind = classOf(point);
        var before = met.get(from);
        int known = before.onward[kind];
        if (known != UNKNOWN) {
            return known;
        }
        var states = before.states;
        var taken = new BitSet();
        for (int state = states.nextSetBit(0); state >= 0; state = states.nextSetBit(state + 1)) {
            step();
            if (program.step(state) == Program.Step.TAKE && program.set(state).has(point)) {
                taken.set(program.next(state));
            }
        }
        boolean isFull = isFull();
        int next = number(closure(taken, Place.INSIDE));
        if (!isFull) {
            before.onward[kind] = next;
        }
        return next;
    }

    private boolean isFull() {
        return met.size() * (bounds.length + 1L) >= MOST_REMEMBERED;
    }

    private void step() {
        if (++steps > MOST_STEPS) {
            throw new IllegalArgumentException("the pattern takes too long on a text of this length");
        }
    }

    private enum Place {
        BEGIN,
        INSIDE,
        END,
        EMPTY
    }

    /// All states that `from` and the start lead to without a character.
    private BitSet closure(BitSet from, Place place) {
        var reached = new BitSet();
        var open = new ArrayList<Integer>();
        from.stream().forEach(open::add);
        if (place != Place.END) {
            open.add(program.start());
        }
        while (!open.isEmpty()) {
            int state = open.removeLast();
            if (reached.get(state)) {
                continue;
            }
            step();
            reached.set(state);
            follow(state, place, open);
        }
        return reached;
    }

    private void follow(int state, Place place, List<Integer> open) {
        switch (program.step(state)) {
            case FORK -> {
                open.add(program.next(state));
                open.add(program.other(state));
            }
            case BEGIN -> {
                if (place == Place.BEGIN || place == Place.EMPTY) {
                    open.add(program.next(state));
                }
            }
            case END -> {
                if (place == Place.END || place == Place.EMPTY) {
                    open.add(program.next(state));
                }
            }
            case TAKE, FOUND -> {}
        }
    }

    /// The number of a set of states; that of the end is 0.
    private int number(BitSet states) {
        var known = numbers.get(states);
        if (known != null) {
            return known;
        }
        if (isFull()) {
            met.clear();
            numbers.clear();
        }
        var ends = states.get(0) ? Ends.FOUND : closure(states, Place.END).get(0) ? Ends.FOUND_AT_END : Ends.NOT_YET;
        met.add(new Met(states, ends, bounds.length + 1));
        numbers.put(states, met.size() - 1);
        return met.size() - 1;
    }

    /// As it was written.
    @Override
    public String toString() {
        return text;
    }
}
