package dev.cagewright.cli.run;

import dev.cagewright.cli.screen.ScreenStream;
import dev.cagewright.cli.screen.StatusTitle;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.sandbox.terminal.TerminalSize;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Supplier;

/// How this process's own streams are joined to the program's.
public sealed interface RunStreams {
    /// For the runtime.
    Streams streams();

    /// The person's terminal has another size now.
    void resized(Steerable run);

    /// The program is about to run.
    ///
    /// @throws IOException if the person's terminal is gone
    void begin() throws IOException;

    /// It has ended.
    void end();

    /// Pipes straight through.
    record Piped(Streams streams) implements RunStreams {
        /// This process's own.
        public static Piped throughOwn() {
            return throughOwn(new FileInputStream(FileDescriptor.in));
        }

        /// This process's own outputs, and another input.
        static Piped throughOwn(InputStream in) {
            return new Piped(new Streams.Pipes(
                    in, new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err)));
        }

        /// No input, and all output where errors go.
        static Piped toErrors() {
            var errors = new FileOutputStream(FileDescriptor.err);
            return new Piped(new Streams.Pipes(Streams.Pipes.discarding().in(), errors, errors));
        }

        @Override
        public void resized(Steerable run) {}

        @Override
        public void begin() {}

        @Override
        public void end() {}
    }

    /// Output kept in memory, bounded by the run's own limit.
    record Kept(InputStream in, ByteArrayOutputStream out, ByteArrayOutputStream err) implements RunStreams {
        Kept(InputStream in) {
            this(in, new ByteArrayOutputStream(), new ByteArrayOutputStream());
        }

        @Override
        public Streams streams() {
            return new Streams.Pipes(in, out, err);
        }

        @Override
        public void resized(Steerable run) {}

        @Override
        public void begin() {}

        @Override
        public void end() {}
    }

    /// A terminal in the cage behind the person's own, which is raw meanwhile.
    final class Terminals implements RunStreams {
        private final Terminal own = Terminal.at(0);
        private final TerminalSize size = own.size();
        private final ScreenStream screen = new ScreenStream(new FileOutputStream(FileDescriptor.out));
        private final Optional<StatusTitle> title;
        private Optional<Terminal.Raw> raw = Optional.empty();

        /// This process's own terminal.
        public Terminals() {
            this(Optional.empty());
        }

        /// This process's own terminal.
        ///
        /// @param status what stands in its title; empty for none
        Terminals(Optional<Supplier<String>> status) {
            title = status.map(text -> new StatusTitle(screen, text));
            Runtime.getRuntime().addShutdownHook(new Thread(this::end, "restore-terminal"));
        }

        @Override
        public Streams streams() {
            return new Streams.Pty(
                    size.rows(), size.columns(), settings(), new FileInputStream(FileDescriptor.in), screen);
        }

        /// The cage's terminal is set as the person's: erase key, flow control, UTF-8.
        private ByteString settings() {
            try {
                return own.settings();
            } catch (IOException _) {
                return ByteString.of(""); // it is gone, which begin() says
            }
        }

        @Override
        public void resized(Steerable run) {
            var now = own.size();
            run.resize(now.rows(), now.columns());
        }

        @Override
        public synchronized void begin() throws IOException {
            if (raw.isPresent()) {
                raw.get().again();
            } else {
                raw = Optional.of(own.raw());
            }
            title.ifPresent(StatusTitle::show);
        }

        @Override
        public synchronized void end() {
            title.ifPresent(StatusTitle::hide);
            raw.ifPresent(Terminal.Raw::close);
            raw = Optional.empty();
        }

        /// Undoes what a killed program left of its screen.
        public void calm() throws IOException {
            screen.calm();
        }
    }
}
