package dev.cagewright.sandbox.terminal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.kernel.FileControl;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A terminal that this process was started with, by its descriptor (0, 1 or 2); `termios(3)` by way of
/// `ioctl_tty(2)`. Owns nothing: the descriptor stays open. Safe for all threads.
public final class Terminal {
    /// `TCGETS`, `TCSETSW`, `TIOCGWINSZ`: asm-generic/ioctls.h, the same on x86-64 and AArch64.
    private static final long TCGETS = 0x5401;

    private static final long TCSETSW = 0x5403;
    private static final long TIOCGWINSZ = 0x5413;

    /// The kernel's `struct termios` (asm-generic/termbits.h): four 32-bit flag words, the line discipline,
    /// 19 control characters.
    public static final int SETTINGS_SIZE = 36;

    private static final long INPUT_FLAGS = 0;
    private static final long OUTPUT_FLAGS = 4;
    private static final long CONTROL_FLAGS = 8;
    private static final long LOCAL_FLAGS = 12;
    private static final long VMIN = 17 + 6;
    private static final long VTIME = 17 + 5;

    /// What `cfmakeraw(3)` clears: BRKINT ICRNL IGNBRK INLCR IGNCR ISTRIP IXON PARMRK.
    private static final int RAW_INPUT_OFF = 0x2 | 0x100 | 0x1 | 0x40 | 0x80 | 0x20 | 0x400 | 0x8;

    /// OPOST.
    private static final int RAW_OUTPUT_OFF = 0x1;
    /// CSIZE, PARENB.
    private static final int RAW_CONTROL_OFF = 0x30 | 0x100;
    /// CS8.
    private static final int RAW_CONTROL_ON = 0x30;
    /// ECHO ECHONL ICANON ISIG IEXTEN.
    private static final int RAW_LOCAL_OFF = 0x8 | 0x40 | 0x2 | 0x1 | 0x8000;
    /// ECHO.
    private static final int ECHO = 0x8;
    /// ECHONL.
    private static final int ECHO_NEW_LINE = 0x40;

    private final int descriptor;

    private Terminal(int descriptor) {
        this.descriptor = descriptor;
    }

    public static Terminal at(int descriptor) {
        return new Terminal(descriptor);
    }

    /// Is the descriptor a terminal at all?
    public boolean isPresent() {
        try (var arena = Arena.ofConfined()) {
            return FileControl.control(descriptor, TCGETS, arena.allocate(SETTINGS_SIZE));
        }
    }

    public TerminalSize size() {
        try (var arena = Arena.ofConfined()) {
            var size = arena.allocate(8);
            if (!FileControl.control(descriptor, TIOCGWINSZ, size)) {
                return TerminalSize.USUAL;
            }
            int rows = Short.toUnsignedInt(size.get(JAVA_SHORT, 0));
            int columns = Short.toUnsignedInt(size.get(JAVA_SHORT, 2));
            return rows == 0 || columns == 0 ? TerminalSize.USUAL : new TerminalSize(rows, columns);
        }
    }

    /// Puts the terminal into raw mode, so that every key reaches the workload's own terminal, until the
    /// answer is closed.
    ///
    /// @throws IOException if the descriptor is no terminal
    public Raw raw() throws IOException {
        byte[] before = read();
        apply(rawed(before));
        return new Raw(before);
    }

    /// Shows nothing of what is typed but the end of a line, until the answer is closed.
    ///
    /// @throws IOException if the descriptor is no terminal
    public Raw silent() throws IOException {
        byte[] before = read();
        var termios = MemorySegment.ofArray(before.clone());
        clear(termios, LOCAL_FLAGS, ECHO);
        int local = termios.get(JAVA_INT.withByteAlignment(1), LOCAL_FLAGS);
        termios.set(JAVA_INT.withByteAlignment(1), LOCAL_FLAGS, local | ECHO_NEW_LINE);
        apply(termios.toArray(JAVA_BYTE));
        return new Raw(before);
    }

    /// How it treats what is typed and shown: the kernel's `struct termios`, [#SETTINGS_SIZE] bytes.
    ///
    /// @throws IOException if the descriptor is no terminal
    public ByteString settings() throws IOException {
        return ByteString.copyOf(read());
    }

    private byte[] read() throws IOException {
        try (var arena = Arena.ofConfined()) {
            var termios = arena.allocate(SETTINGS_SIZE);
            if (!FileControl.control(descriptor, TCGETS, termios)) {
                throw new IOException("terminal: ioctl(" + descriptor + ", TCGETS) refused (expected: a terminal)");
            }
            return termios.toArray(JAVA_BYTE);
        }
    }

    private void apply(byte[] settings) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var termios = arena.allocateFrom(JAVA_BYTE, settings);
            if (!FileControl.control(descriptor, TCSETSW, termios)) {
                throw new IOException("terminal: ioctl(" + descriptor + ", TCSETSW) refused (expected: a terminal)");
            }
        }
    }

    private static byte[] rawed(byte[] before) {
        var termios = MemorySegment.ofArray(before.clone());
        clear(termios, INPUT_FLAGS, RAW_INPUT_OFF);
        clear(termios, OUTPUT_FLAGS, RAW_OUTPUT_OFF);
        clear(termios, CONTROL_FLAGS, RAW_CONTROL_OFF);
        clear(termios, LOCAL_FLAGS, RAW_LOCAL_OFF);
        int control = termios.get(JAVA_INT.withByteAlignment(1), CONTROL_FLAGS);
        termios.set(JAVA_INT.withByteAlignment(1), CONTROL_FLAGS, control | RAW_CONTROL_ON);
        termios.set(JAVA_BYTE, VMIN, (byte) 1);
        termios.set(JAVA_BYTE, VTIME, (byte) 0);
        return termios.toArray(JAVA_BYTE);
    }

    private static void clear(MemorySegment termios, long offset, int bits) {
        int flags = termios.get(JAVA_INT.withByteAlignment(1), offset);
        termios.set(JAVA_INT.withByteAlignment(1), offset, flags & ~bits);
    }

    /// A mode other than the one before; closing it brings back the settings from before, however often it is closed.
    public final class Raw implements AutoCloseable {
        private final byte[] before;

        private Raw(byte[] before) {
            this.before = before;
        }

        /// Takes the mode again after somebody else has changed the terminal; what close brings back stays the same.
        ///
        /// @throws IOException if the terminal is gone
        public void again() throws IOException {
            apply(rawed(before));
        }

        /// Restores the terminal; a terminal that has gone away needs nothing any more.
        @Override
        public void close() {
            try {
                apply(before);
            } catch (IOException _) {
                // The terminal was closed meanwhile: there is nothing left to restore.
            }
        }
    }
}
