package dev.cagewright.cli.run;

import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.sandbox.terminal.TerminalSize;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// How this process's own streams are joined to the program's.
sealed interface RunStreams {
    /// For the runtime.
    Streams streams();

    /// The person's terminal has another size now.
    void resized(Run run);

    /// The program is about to run.
    ///
    /// @throws IOException if the person's terminal is gone
    void begin() throws IOException;

    /// It has ended.
    void end();

    /// Pipes straight through.
    record Piped(Streams streams) implements RunStreams {
        static Piped throughOwn() {
            return new Piped(new Streams.Pipes(
                    new FileInputStream(FileDescriptor.in),
                    new FileOutputStream(FileDescriptor.out),
                    new FileOutputStream(FileDescriptor.err)));
        }

        /// No input, and all output where errors go.
        static Piped toErrors() {
            var errors = new FileOutputStream(FileDescriptor.err);
            return new Piped(new Streams.Pipes(Streams.Pipes.discarding().in(), errors, errors));
        }

        @Override
        public void resized(Run run) {}

        @Override
        public void begin() {}

        @Override
        public void end() {}
    }

    /// Output kept in memory, bounded by the run's own limit.
    record Kept(InputStream in, ByteArrayOutputStream out, ByteArrayOutputStream err) implements RunStreams {
        /// With this process's own input.
        Kept() {
            this(new FileInputStream(FileDescriptor.in));
        }

        Kept(InputStream in) {
            this(in, new ByteArrayOutputStream(), new ByteArrayOutputStream());
        }

        @Override
        public Streams streams() {
            return new Streams.Pipes(in, out, err);
        }

        @Override
        public void resized(Run run) {}

        @Override
        public void begin() {}

        @Override
        public void end() {}
    }

    /// A terminal in the cage behind the person's own, which is raw meanwhile.
    final class Terminals implements RunStreams {
        /// Leaves the alternate screen, mouse reports and bracketed paste, shows the cursor, plain colours:
        /// what a program that was killed could not do itself. ECMA-48 and the xterm control sequences.
        private static final byte[] CALM =
                "\033[?1049l\033[?1000l\033[?1006l\033[?2004l\033[?25h\033[0m".getBytes(StandardCharsets.US_ASCII);

        private final Terminal own = Terminal.at(0);
        private final TerminalSize size = own.size();
        private Optional<Terminal.Raw> raw = Optional.empty();

        Terminals() {
            Runtime.getRuntime().addShutdownHook(new Thread(this::end, "restore-terminal"));
        }

        @Override
        public Streams streams() {
            return new Streams.Pty(
                    size.rows(),
                    size.columns(),
                    new FileInputStream(FileDescriptor.in),
                    new FileOutputStream(FileDescriptor.out));
        }

        @Override
        public void resized(Run run) {
            var now = own.size();
            run.resize(now.rows(), now.columns());
        }

        @Override
        public synchronized void begin() throws IOException {
            raw = Optional.of(own.raw());
        }

        @Override
        public synchronized void end() {
            raw.ifPresent(Terminal.Raw::close);
            raw = Optional.empty();
        }

        /// Undoes what a killed program left of its screen.
        void calm() throws IOException {
            try (var out = new FileOutputStream("/dev/tty")) {
                out.write(CALM);
            }
        }
    }
}
