package dev.cagewright.egress.inspect.credential;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is written with escapes: `%41` of URLs and forms, `\n`, `\x41` and the four digits of JSON and programs. Text
/// far from any escape is passed over: it is read as it is elsewhere.
final class EscapeReading implements Reading {
    /// How much in front of an escape is read with it; more than any prefix has.
    private static final int BEFORE = 256;

    /// How much behind one; more than any credential has.
    private static final int BEHIND = 1024;

    private static final String LETTERS = "nrtbf";
    private static final String MEANT = "\n\r\t\b\f";

    private final Supplier<Reading> below;
    private final byte[] before = new byte[BEFORE];
    private final long[] beforeAt = new long[BEFORE];
    private @Nullable Reading reading;
    private int kept;
    private int first;
    private int quiet = BEHIND;
    private State state = State.PLAIN;
    private int digits;
    private int code;

    private enum State {
        PLAIN,
        BACKSLASH,
        DIGITS
    }

    EscapeReading(Supplier<Reading> below) {
        this.below = below;
    }

    @Override
    public void accept(int value, long at) {
        switch (state) {
            case PLAIN -> plain(value, at);
            case BACKSLASH -> escaped(value, at);
            case DIGITS -> digit(value, at);
        }
    }

    private void plain(int value, long at) {
        switch (value) {
            case '%' -> expect(2);
            case '\\' -> state = State.BACKSLASH;
            default -> pass(value, at);
        }
    }

    private void expect(int count) {
        state = State.DIGITS;
        digits = count;
        code = 0;
    }

    private void escaped(int value, long at) {
        state = State.PLAIN;
        switch (value) {
            case 'u' -> expect(4);
            case 'x' -> expect(2);
            default -> {
                int letter = LETTERS.indexOf(value);
                decoded(letter < 0 ? value : MEANT.charAt(letter), at);
            }
        }
    }

    private void digit(int value, long at) {
        int digit = Digits.HEX.value(value);
        if (digit < 0) {
            state = State.PLAIN;
            decoded('?', at);
            plain(value, at);
            return;
        }
        code = (code << 4) | digit;
        digits--;
        if (digits == 0) {
            state = State.PLAIN;
            decoded(code > 0xff ? '?' : code, at);
        }
    }

    private void decoded(int value, long at) {
        wake().accept(value, at);
    }

    private Reading wake() {
        var active = reading;
        if (active == null) {
            active = below.get();
            reading = active;
        }
        for (int i = 0; i < kept; i++) {
            int slot = (first + i) % BEFORE;
            active.accept(before[slot] & 0xff, beforeAt[slot]);
        }
        kept = 0;
        first = 0;
        quiet = 0;
        return active;
    }

    private void pass(int value, long at) {
        if (quiet < BEHIND && reading != null) {
            reading.accept(value, at);
            quiet++;
            if (quiet == BEHIND) {
                reading.end();
            }
        } else {
            keep(value, at);
        }
    }

    private void keep(int value, long at) {
        int slot = (first + kept) % BEFORE;
        before[slot] = (byte) value;
        beforeAt[slot] = at;
        if (kept == BEFORE) {
            first = (first + 1) % BEFORE;
        } else {
            kept++;
        }
    }

    @Override
    public void pause() {
        if (state != State.PLAIN) {
            wake();
        }
        if (reading != null && quiet < BEHIND) {
            reading.pause();
        }
    }

    @Override
    public void end() {
        if (reading != null) {
            reading.end();
        }
        kept = 0;
        first = 0;
        quiet = BEHIND;
        state = State.PLAIN;
    }

    @Override
    public long heldFrom() {
        return reading == null || quiet == BEHIND ? Long.MAX_VALUE : reading.heldFrom();
    }

    @Override
    public long steps() {
        return reading == null ? 0 : reading.steps();
    }
}
