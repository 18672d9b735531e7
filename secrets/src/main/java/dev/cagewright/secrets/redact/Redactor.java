package dev.cagewright.secrets.redact;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/// One stream of bytes, in pieces. Holds back what may be the beginning of a value, at most one byte less than the
/// longest spelling. For one thread at a time.
public final class Redactor {
    private static final byte[] NOTHING = {};

    private final Redaction.Plan plan;
    private final Set<String> names = new TreeSet<>();
    private byte[] held = NOTHING;

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
    /// @param piece owned by this from now on, and changed
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
        int free = plan.patterns().search(bytes, 0, bytes.length, rest, (pattern, from, to) -> {
            System.arraycopy(plan.standIns().get(pattern), 0, bytes, from, to - from);
            names.add(plan.names().get(pattern));
        });
        if (free == bytes.length) {
            held = NOTHING;
            return bytes;
        }
        held = Arrays.copyOfRange(bytes, free, bytes.length);
        return Arrays.copyOf(bytes, free);
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
