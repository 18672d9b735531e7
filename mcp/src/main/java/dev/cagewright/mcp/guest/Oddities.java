package dev.cagewright.mcp.guest;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Counts what a server writes where messages belong and that is none: dropped, told once, and too much at a bound.
/// Safe for all threads.
final class Oddities {
    /// So many lines, or bytes of them, are an accident: banners and prints of debugging.
    private static final int MOST_LINES = 1_000;

    private static final long MOST_BYTES = 1L << 20;
    private static final int SHOWN = 120;

    private final Consumer<String> told;
    private final Consumer<String> tooMuch;
    private long lines;
    private long bytes;
    private long strays;

    /// @param told hears one sentence, once
    /// @param tooMuch hears why no more is taken
    Oddities(Consumer<String> told, Consumer<String> tooMuch) {
        this.told = told;
        this.tooMuch = tooMuch;
    }

    /// A line that is no message.
    synchronized void junk(byte[] line) {
        lines++;
        bytes += line.length;
        if (lines == 1) {
            var shown = new String(line, 0, Math.min(line.length, SHOWN), StandardCharsets.UTF_8);
            told.accept("writes to its standard output what is no message, and that is dropped: " + shown);
        }
        if (lines > MOST_LINES || bytes > MOST_BYTES) {
            tooMuch.accept("wrote " + lines + " lines to its standard output that are no messages");
        }
    }

    /// An answer to nothing: late, double, or made up.
    synchronized void stray() {
        strays++;
        if (strays > MOST_LINES * 10L) {
            tooMuch.accept("gave " + strays + " answers to what nobody asked");
        }
    }
}
