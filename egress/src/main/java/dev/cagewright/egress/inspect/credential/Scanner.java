package dev.cagewright.egress.inspect.credential;

import java.util.ArrayList;
import java.util.List;

/// Looks for the formats of a set in one stream of bytes. Never goes back; a byte costs one step of the automaton and
/// one for each candidate that is open, of which there are at most [#MOST_OPEN].
final class Scanner {
    /// More than ordinary text has by far.
    static final int MOST_OPEN = 64;

    private static final int HISTORY = 64;

    private final FormatSet formats;
    private final Sightings sightings;
    private final List<Candidate> open = new ArrayList<>();
    private final byte[] history = new byte[HISTORY];
    private long count;
    private int state;
    private long steps;

    Scanner(FormatSet formats, Sightings sightings) {
        this.formats = formats;
        this.sightings = sightings;
    }

    /// @param at where the byte stands in what is sent
    void accept(int value, long at) {
        if (!open.isEmpty()) {
            advance(value);
        }
        state = formats.literals().next(state, value);
        steps++;
        history[(int) (count % HISTORY)] = (byte) value;
        count++;
        for (int literal : formats.literals().found(state)) {
            begin(literal, at + 1);
        }
    }

    private void advance(int value) {
        int kept = 0;
        for (int i = 0; i < open.size(); i++) {
            var candidate = open.get(i);
            steps++;
            switch (candidate.accept(value)) {
                case OPEN -> open.set(kept++, candidate);
                case FOUND -> sightings.saw(candidate.format().kind(), candidate.start());
                case GONE -> {}
            }
        }
        open.subList(kept, open.size()).clear();
    }

    private void begin(int literal, long at) {
        var format = formats.format(literal);
        if (format.start() == Format.Start.WORD && !beginsWord(formats.prefixLength(literal))) {
            return;
        }
        if (open.size() == MOST_OPEN) {
            sightings.saw("too_many_beginnings", at);
        } else {
            open.add(new Candidate(format, at));
        }
    }

    /// The letter of an escape such as `\n` is not part of the word behind it.
    private boolean beginsWord(int length) {
        return !isWord(before(length)) || before(length + 1) == '\\';
    }

    private int before(int length) {
        return count <= length ? ' ' : history[(int) ((count - 1 - length) % HISTORY)] & 0xff;
    }

    private static boolean isWord(int value) {
        return (value >= 'a' && value <= 'z')
                || (value >= 'A' && value <= 'Z')
                || (value >= '0' && value <= '9')
                || value == '_';
    }

    /// Nothing of this text follows.
    void end() {
        for (var candidate : open) {
            if (candidate.atEnd() == Candidate.Standing.FOUND) {
                sightings.saw(candidate.format().kind(), candidate.start());
            }
        }
        open.clear();
        state = 0;
        count = 0;
    }

    /// Where the first open candidate's secret part begins; [Long#MAX_VALUE] if none is open.
    long heldFrom() {
        return open.isEmpty() ? Long.MAX_VALUE : open.getFirst().start();
    }

    long steps() {
        return steps;
    }
}
