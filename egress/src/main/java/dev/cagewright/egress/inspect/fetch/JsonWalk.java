package dev.cagewright.egress.inspect.fetch;

import java.util.ArrayList;
import java.util.List;

/// Walks through JSON (RFC 8259) byte by byte and tells what stands where. It judges nothing: of what is not JSON it
/// tells something or nothing. Keeps at most [#DEEPEST] keys and [#LONGEST] bytes of a text.
final class JsonWalk {
    static final int DEEPEST = 64;
    static final int LONGEST = 256;

    private final Heard heard;
    private final List<Level> levels = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int tooDeep;
    private State state = State.BETWEEN;
    private int digits;
    private int code;

    /// Hears what is there. A path is the keys from the outermost object on; lists add nothing to it.
    interface Heard {
        /// A text as a value.
        ///
        /// @param value its beginning
        void text(List<String> path, String value);

        /// An object or a list as a value begins.
        void opened(List<String> path);
    }

    private enum State {
        BETWEEN,
        TEXT,
        ESCAPE,
        UNICODE
    }

    private static final class Level {
        private final boolean isObject;
        private boolean expectsKey;
        private String key = "";

        Level(boolean isObject) {
            this.isObject = isObject;
            this.expectsKey = isObject;
        }
    }

    JsonWalk(Heard heard) {
        this.heard = heard;
    }

    void accept(int value) {
        switch (state) {
            case BETWEEN -> between(value);
            case TEXT -> inText(value);
            case ESCAPE -> escaped(value);
            case UNICODE -> unicode(value);
        }
    }

    private void between(int value) {
        switch (value) {
            case '{', '[' -> open(value == '{');
            case '}', ']' -> close();
            case ',' -> expectKey();
            case ':' -> expectValue();
            case '"' -> {
                text.setLength(0);
                state = State.TEXT;
            }
            default -> {}
        }
    }

    private void open(boolean isObject) {
        if (levels.size() == DEEPEST) {
            tooDeep++;
            return;
        }
        heard.opened(path());
        levels.add(new Level(isObject));
    }

    private void close() {
        if (tooDeep > 0) {
            tooDeep--;
        } else if (!levels.isEmpty()) {
            levels.removeLast();
        }
    }

    private void expectKey() {
        if (tooDeep == 0 && !levels.isEmpty()) {
            levels.getLast().expectsKey = levels.getLast().isObject;
        }
    }

    private void expectValue() {
        if (tooDeep == 0 && !levels.isEmpty()) {
            levels.getLast().expectsKey = false;
        }
    }

    private void inText(int value) {
        switch (value) {
            case '"' -> {
                state = State.BETWEEN;
                ended();
            }
            case '\\' -> state = State.ESCAPE;
            default -> add(value);
        }
    }

    private void escaped(int value) {
        state = State.TEXT;
        if (value == 'u') {
            state = State.UNICODE;
            digits = 0;
            code = 0;
        } else {
            int letter = "nrtbf".indexOf(value);
            add(letter < 0 ? value : "\n\r\t\b\f".charAt(letter));
        }
    }

    private void unicode(int value) {
        code = (code << 4) | Math.max(0, Character.digit(value, 16));
        digits++;
        if (digits == 4) {
            state = State.TEXT;
            add(code);
        }
    }

    private void add(int value) {
        if (text.length() < LONGEST) {
            text.append((char) value);
        }
    }

    private void ended() {
        if (tooDeep > 0) {
            return;
        }
        if (!levels.isEmpty() && levels.getLast().expectsKey) {
            levels.getLast().key = text.toString();
        } else {
            heard.text(path(), text.toString());
        }
    }

    private List<String> path() {
        return levels.stream()
                .filter(level -> level.isObject)
                .map(level -> level.key)
                .toList();
    }
}
