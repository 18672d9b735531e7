package dev.cagewright.secrets.redact;

import java.util.Set;

/// A stream that tells a text in small pieces, each in a structure of its own: JSON values, one a line or one in all,
/// or
/// server-sent events (the HTML standard, section 9.2). A value that is spread over many pieces is found in the text
/// they
/// come to, and each piece keeps its length. Behind a [Redactor], which finds what stands in one piece. For one thread
/// at a time.
public final class Deltas {
    /// So much is held while a text may still become a value; then it goes, and only what is left of the value is taken
    /// out.
    static final int MOST_HELD = 64 * 1024;

    private static final String DATA = "data:";

    private final Shape shape;
    private final Held held = new Held();
    private final Lanes lanes;
    private final JsonTexts json;
    private final Lane plain;
    private int matched;
    private boolean isData;
    private boolean isOther;
    private boolean isEmptyLine = true;

    /// How the pieces are told apart.
    public enum Shape {
        JSON,
        EVENTS
    }

    public Deltas(Redaction redaction, Shape shape) {
        this.shape = shape;
        this.lanes = new Lanes(redaction.text(), held);
        this.json = new JsonTexts(lanes);
        this.plain = lanes.lane("data");
    }

    /// Takes the next bytes and returns what may go.
    public byte[] next(byte[] piece) {
        long place = held.to();
        held.add(piece);
        for (byte letter : piece) {
            switch (shape) {
                case JSON -> json.next(letter, place);
                case EVENTS -> event(letter, place);
            }
            place++;
        }
        json.decide();
        if (shape == Shape.EVENTS) {
            lanes.decide(plain);
        }
        return held.release(Math.max(lanes.heldFrom(), held.to() - MOST_HELD));
    }

    private void event(byte letter, long place) {
        if (letter == '\n' || letter == '\r') {
            line();
        } else if (isData) {
            if (!isEmptyLine || letter != ' ') {
                plain.add(letter, place, 1);
            }
            isEmptyLine = false;
            json.next(letter, place);
        } else if (!isOther) {
            isEmptyLine = false;
            isOther = letter != DATA.charAt(matched);
            matched++;
            if (!isOther && matched == DATA.length()) {
                isData = true;
                isEmptyLine = true;
            }
        }
    }

    /// A line is over; an empty one ends the event.
    private void line() {
        if (isEmptyLine && !isData) {
            json.reset();
        }
        isData = false;
        isOther = false;
        isEmptyLine = true;
        matched = 0;
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
