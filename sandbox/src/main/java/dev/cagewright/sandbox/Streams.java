package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;

/// What a program reads and writes. The runtime pumps: it counts, keeps at most the limit, and always
/// drains. The streams stay the caller's; the runtime flushes the outputs and never closes any. A
/// failing output stream does not stop the program: the rest is drained and counted as cut.
public sealed interface Streams {
    /// Three pipes. The end of `in` is the end of the program's standard input.
    record Pipes(InputStream in, OutputStream out, OutputStream err) implements Streams {
        private static final InputStream SILENCE = InputStream.nullInputStream();

        /// No input, and output that is only counted.
        public static Pipes discarding() {
            return new Pipes(SILENCE, OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
        }

        /// Is it known that the program gets no input?
        public boolean isSilent() {
            return in.equals(SILENCE);
        }
    }

    /// A terminal of the cage's own. Output and error are one stream; the end of `in` hangs nothing up.
    ///
    /// @param rows 1 to 65535
    /// @param columns 1 to 65535
    /// @param settings of the terminal, as [Terminal#settings()] has them; empty for the kernel's usual ones
    record Pty(int rows, int columns, ByteString settings, InputStream in, OutputStream out) implements Streams {
        public Pty {
            requireSize("rows", rows);
            requireSize("columns", columns);
            if (settings.size() != 0 && settings.size() != Terminal.SETTINGS_SIZE) {
                throw new IllegalArgumentException(
                        "settings: " + settings.size() + " bytes (expected: none, or " + Terminal.SETTINGS_SIZE + ")");
            }
        }

        /// With the kernel's usual settings.
        public Pty(int rows, int columns, InputStream in, OutputStream out) {
            this(rows, columns, ByteString.of(""), in, out);
        }

        private static void requireSize(String name, int value) {
            if (value < 1 || value > 65_535) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to 65535)");
            }
        }
    }
}
