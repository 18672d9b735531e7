package dev.cagewright.secrets.redact;

import java.util.Set;

/// A stream in which a text and other bytes take turns, as messages and their frames do: the text is read across what
/// stands between, also where it is JSON that tells another text in pieces. For one thread at a time.
public final class Weave {
    private static final long TEXT = -1;

    private final Held held = new Held();
    private final Lanes lanes;
    private final Lane text;
    private final JsonTexts json;

    public Weave(Redaction redaction) {
        this.lanes = new Lanes(redaction.text(), held);
        this.text = lanes.lane(TEXT);
        this.json = new JsonTexts(lanes);
    }

    /// Takes bytes that are no text.
    public void other(byte[] piece) {
        held.add(piece);
    }

    /// Takes bytes of the text.
    public void text(byte[] piece) {
        long place = held.to();
        held.add(piece);
        text.add(piece, 0, piece.length, place);
        json.next(piece, 0, piece.length, place);
        lanes.decide(text);
        json.decide();
    }

    /// A message is over.
    public void message() {
        json.reset();
    }

    /// Returns what may go.
    public byte[] free() {
        return held.release(Math.max(lanes.heldFrom(), held.to() - Deltas.MOST_HELD));
    }

    /// The stream is over; returns what was held.
    public byte[] end() {
        json.reset();
        lanes.end();
        return held.release(held.to());
    }

    /// The names of the secrets whose values were taken out so far.
    public Set<String> names() {
        return lanes.names();
    }
}
