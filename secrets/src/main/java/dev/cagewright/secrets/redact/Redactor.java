package dev.cagewright.secrets.redact;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/// One stream of bytes, in pieces. Holds back what may be the beginning of a value, at most one byte less than the
/// longest spelling. Where one value runs into another, both are taken out. For one thread at a time.
public final class Redactor {
    private static final byte[] NOTHING = {};

    private final Redaction.Plan plan;
    private final Set<String> names = new TreeSet<>();
    private byte[] held = NOTHING;

    /// What goes in the place of the first bytes that are held, which are the end of a value.
    private byte[] decided = NOTHING;

    Redactor(Redaction.Plan plan) {
        this.plan = plan;
    }

    /// For text, which may hold values of any length.
    public static Redactor ofText(Redaction redaction) {
        return new Redactor(redaction.text());
    }

    /// For anything else, where only what cannot be there by chance is changed.
    public static Redactor ofBinary(Redaction redaction) {
        return new Redactor(redaction.binary());
    }

    /// Takes the next piece and returns what may go, which is the piece itself where nothing is in it and nothing is
    /// held.
    ///
    /// @param piece owned by this from now on
    public byte[] next(byte[] piece) {
        return go(joined(piece), Patterns.Rest.MORE_COMES);
    }

    /// The stream is over; returns what was held.
    public byte[] end() {
        return go(joined(NOTHING), Patterns.Rest.ENDS);
    }

    private byte[] joined(byte[] piece) {
        if (held.length == 0) {
            return piece;
        }
        var joined = Arrays.copyOf(held, held.length + piece.length);
        System.arraycopy(piece, 0, joined, held.length, piece.length);
        return joined;
    }

    private byte[] go(byte[] bytes, Patterns.Rest rest) {
        var writing = new Written(bytes);
        int free = plan.patterns().cover(bytes, bytes.length, decided.length, rest, writing::write);
        if (free == bytes.length) {
            held = NOTHING;
            decided = NOTHING;
            return writing.text;
        }
        held = Arrays.copyOfRange(bytes, free, bytes.length);
        decided = writing.reach > free ? Arrays.copyOfRange(writing.text, free, writing.reach) : NOTHING;
        return Arrays.copyOf(writing.text, free);
    }

    /// What becomes of a piece: itself, or a copy as soon as something is in it.
    private final class Written {
        private byte[] text;
        private boolean isCopy;
        private int reach;

        Written(byte[] bytes) {
            this.isCopy = decided.length > 0;
            this.text = isCopy ? bytes.clone() : bytes;
            this.reach = decided.length;
            System.arraycopy(decided, 0, text, 0, reach);
        }

        void write(int pattern, int from, int to) {
            if (!isCopy) {
                text = text.clone();
                isCopy = true;
            }
            int start = Math.max(from, reach);
            System.arraycopy(plan.standIns().get(pattern), start - from, text, start, to - start);
            names.add(plan.names().get(pattern));
            reach = to;
        }
    }

    /// How many bytes are held back.
    public int held() {
        return held.length;
    }

    /// The names of the secrets whose values were taken out so far.
    public Set<String> names() {
        return names;
    }
}
