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
    /// out. A key of 128 letters, told as escapes of JSON a letter an event, takes half of it.
    static final int MOST_HELD = 256 * 1024;

    private static final String DATA = "data:";

    private static final long PLAIN = -1;

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
        this.plain = lanes.lane(PLAIN);
    }

    /// Takes the next bytes and returns what may go.
    public byte[] next(byte[] piece) {
        long place = held.to();
        held.add(piece);
        switch (shape) {
            case JSON -> json.next(piece, 0, piece.length, place);
            case EVENTS -> events(piece, place);
        }
        json.decide();
        if (shape == Shape.EVENTS) {
            lanes.decide(plain);
        }
        return held.release(Math.max(lanes.heldFrom(), held.to() - MOST_HELD));
    }

    private void events(byte[] piece, long place) {
        int at = 0;
        while (at < piece.length) {
            byte letter = piece[at];
            if (isEnd(letter)) {
                line();
                at++;
            } else if (isData) {
                int from = isEmptyLine && letter == ' ' ? at + 1 : at;
                isEmptyLine = false;
                at = lineTo(piece, from);
                if (at > from) {
                    plain.add(piece, from, at, place + from);
                    json.next(piece, from, at, place + from);
                }
            } else {
                field(letter);
                at++;
            }
        }
    }

    private static boolean isEnd(byte letter) {
        return letter == '\n' || letter == '\r';
    }

    private static int lineTo(byte[] piece, int from) {
        int at = from;
        while (at < piece.length && !isEnd(piece[at])) {
            at++;
        }
        return at;
    }

    /// The beginning of a line.
    private void field(byte letter) {
        isEmptyLine = false;
        if (!isOther) {
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
