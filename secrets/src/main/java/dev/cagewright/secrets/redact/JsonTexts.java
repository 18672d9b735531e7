package dev.cagewright.secrets.redact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Reads JSON byte by byte, RFC 8259, and puts each string that is a value into the lane of its place: the keys that
/// lead
/// to it, whatever the array element. Where an element says its `index`, it has a lane of its own besides. Takes
/// whatever comes; what is no JSON is in no lane, and does no harm. For one thread at a time.
final class JsonTexts {
    /// Deeper places are one.
    private static final int DEEPEST = 64;

    private static final int LONGEST_KEY = 128;
    private static final int LONGEST_INDEX = 9;

    /// In the place of a key.
    private static final long ELEMENT = 1;

    private final Lanes lanes;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final StringBuilder word = new StringBuilder();
    private State state = State.BETWEEN;
    private boolean isKey;
    private @Nullable Lane lane;
    private @Nullable Lane ofIndex;
    private int code;
    private int digits;
    private long escapeAt;
    private char high;
    private int deeper;

    private enum State {
        BETWEEN,
        STRING,
        ESCAPE,
        CODE
    }

    /// An object or array that is open.
    private static final class Level {
        private final long path;
        private final boolean isObject;
        private long key;
        private boolean isIndex;
        private long index;
        private boolean expectsKey;

        Level(long path, boolean isObject, long index) {
            this.path = path;
            this.isObject = isObject;
            this.index = index;
            this.expectsKey = isObject;
        }

        /// What is here: a hash of the keys that lead here.
        long here() {
            return hash(path, isObject ? key : ELEMENT);
        }
    }

    private static long hash(long before, long next) {
        return (before ^ next) * 0x9E37_79B9_7F4A_7C15L + 1;
    }

    JsonTexts(Lanes lanes) {
        this.lanes = lanes;
    }

    /// Takes bytes, the first of which stands at `place`.
    void next(byte[] bytes, int from, int to, long place) {
        int at = from;
        while (at < to) {
            byte letter = bytes[at];
            switch (state) {
                case BETWEEN -> between(letter);
                case STRING -> {
                    int end = plainTo(bytes, at, to);
                    if (end > at) {
                        plain(bytes, at, end, place + (at - from));
                        at = end;
                        continue;
                    }
                    string(letter, place + (at - from));
                }
                case ESCAPE -> escape(letter);
                case CODE -> code(letter);
            }
            at++;
        }
    }

    private static int plainTo(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '"' && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    private void plain(byte[] bytes, int from, int to, long place) {
        high = 0;
        if (isKey) {
            for (int i = from; i < to && word.length() < LONGEST_KEY; i++) {
                word.append((char) (bytes[i] & 0xff));
            }
            return;
        }
        if (lane != null) {
            lane.add(bytes, from, to, place);
        }
        if (ofIndex != null) {
            ofIndex.add(bytes, from, to, place);
        }
    }

    private void between(byte letter) {
        switch (letter) {
            case '"' -> begin();
            case '{' -> open(/* isObject= */ true);
            case '[' -> open(/* isObject= */ false);
            case '}', ']' -> close();
            case ',' -> {
                number();
                var level = levels.peek();
                if (level != null && deeper == 0) {
                    level.expectsKey = level.isObject;
                }
            }
            case ':' -> {
                word.setLength(0);
                var level = levels.peek();
                if (level != null) {
                    level.expectsKey = false;
                }
            }
            default -> {
                if (letter >= '0' && letter <= '9' && word.length() < LONGEST_INDEX) {
                    word.append((char) letter);
                }
            }
        }
    }

    private void open(boolean isObject) {
        word.setLength(0);
        if (levels.size() >= DEEPEST) {
            deeper++;
            return;
        }
        var outer = levels.peek();
        levels.push(new Level(outer == null ? 0 : outer.here(), isObject, outer == null ? 0 : outer.index));
    }

    private void close() {
        number();
        if (deeper > 0) {
            deeper--;
        } else if (!levels.isEmpty()) {
            levels.pop();
        }
    }

    /// A number is over: is it the one that tells elements apart?
    private void number() {
        var level = levels.peek();
        if (level != null && !word.isEmpty() && level.isObject && level.isIndex) {
            level.index = hash(level.index, word.toString().hashCode());
        }
        word.setLength(0);
    }

    private void begin() {
        state = State.STRING;
        word.setLength(0);
        var level = levels.peek();
        isKey = level != null && level.expectsKey && deeper == 0;
        if (isKey) {
            return;
        }
        long path = level == null ? 0 : level.here();
        lane = lanes.lane(path);
        ofIndex = level == null || level.index == 0 ? null : lanes.lane(hash(path, level.index));
    }

    private void string(byte letter, long place) {
        if (letter == '"') {
            endString();
        } else {
            state = State.ESCAPE;
            escapeAt = place;
        }
    }

    private void endString() {
        state = State.BETWEEN;
        high = 0;
        var level = levels.peek();
        if (isKey && level != null) {
            var key = word.toString();
            level.key = hash(2, key.hashCode());
            level.isIndex = key.endsWith("index");
            level.expectsKey = false;
        }
        word.setLength(0);
        decide();
        lane = null;
        ofIndex = null;
    }

    private void add(byte letter, long place, int width) {
        if (isKey) {
            if (word.length() < LONGEST_KEY) {
                word.append((char) (letter & 0xff));
            }
            return;
        }
        if (lane != null) {
            lane.add(letter, place, width);
        }
        if (ofIndex != null) {
            ofIndex.add(letter, place, width);
        }
    }

    private void escape(byte letter) {
        int known = "bfnrt".indexOf(letter);
        if (letter == 'u') {
            state = State.CODE;
            code = 0;
            digits = 0;
        } else {
            state = State.STRING;
            add(known < 0 ? letter : (byte) "\b\f\n\r\t".charAt(known), escapeAt, 2);
        }
    }

    private void code(byte letter) {
        code = code << 4 | Math.max(0, Character.digit(letter, 16));
        digits++;
        if (digits < 4) {
            return;
        }
        state = State.STRING;
        char unit = (char) code;
        if (Character.isHighSurrogate(unit)) {
            high = unit;
            return;
        }
        var text = Character.isLowSurrogate(unit) && high != 0 ? new String(new char[] {high, unit}) : "" + unit;
        high = 0;
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            add(bytes[i], escapeAt, i == 0 ? 6 : 0);
        }
    }

    /// Decides what has come of the string that is open.
    void decide() {
        if (lane != null) {
            lanes.decide(lane);
        }
        if (ofIndex != null) {
            lanes.decide(ofIndex);
        }
    }

    /// What was open is not closed any more; the next value begins.
    void reset() {
        decide();
        levels.clear();
        word.setLength(0);
        deeper = 0;
        lane = null;
        ofIndex = null;
        state = State.BETWEEN;
    }
}
