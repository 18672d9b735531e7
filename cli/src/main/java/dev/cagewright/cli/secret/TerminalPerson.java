package dev.cagewright.cli.secret;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.vault.Person;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// The person at the terminal that the command was started on; what is typed is not shown. A file that
/// `CAGEWRIGHT_PASSPHRASE_FILE` names answers in the place of a person.
public final class TerminalPerson implements Person {
    private static final String VARIABLE = "CAGEWRIGHT_PASSPHRASE_FILE";
    private static final Path TERMINAL = Path.of("/dev/tty");
    private static final int MOST = 65_537;

    private final Console console;
    private final Map<String, String> environment;

    public TerminalPerson(Console console) {
        this(console, System.getenv());
    }

    TerminalPerson(Console console, Map<String, String> environment) {
        this.console = console;
        this.environment = environment;
    }

    @Override
    public void tell(String sentence) {
        console.say(Visible.text(sentence));
    }

    @Override
    public Optional<byte[]> passphrase(String question) throws IOException {
        var file = environment.getOrDefault(VARIABLE, "");
        if (!file.isEmpty()) {
            try (var in = Files.newInputStream(Path.of(file))) {
                return Optional.of(line(in));
            }
        }
        return typed(question);
    }

    /// Asks for a line that is not shown; empty where there is no terminal.
    Optional<byte[]> typed(String question) throws IOException {
        var terminal = IntStream.range(0, 3)
                .mapToObj(Terminal::at)
                .filter(Terminal::isPresent)
                .findFirst();
        if (terminal.isEmpty()) {
            return Optional.empty();
        }
        try (var silence = terminal.get().silent();
                var _ = new Restoring(silence);
                var out = Files.newOutputStream(TERMINAL);
                var in = Files.newInputStream(TERMINAL)) {
            ask(out, question);
            return Optional.of(line(in));
        }
    }

    private static void ask(OutputStream out, String question) throws IOException {
        out.write(question.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// A line that no buffer of the library keeps, without its end.
    private static byte[] line(InputStream in) throws IOException {
        var line = new Wiped();
        for (int next = in.read(); next >= 0 && next != '\n' && line.size() < MOST; next = in.read()) {
            line.write(next);
        }
        return line.taken();
    }

    private static final class Wiped extends ByteArrayOutputStream {
        Wiped() {
            super(MOST);
        }

        byte[] taken() {
            var copy = Arrays.copyOf(buf, count);
            Arrays.fill(buf, (byte) 0);
            return copy;
        }
    }

    /// A person who gives up with a key must not be left with a terminal that shows nothing.
    private static final class Restoring implements AutoCloseable {
        private final Thread hook;

        Restoring(Terminal.Raw mode) {
            this.hook = Thread.ofPlatform().unstarted(mode::close);
            Runtime.getRuntime().addShutdownHook(hook);
        }

        @Override
        public void close() {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException _) {
                return; // it is ending, and the hook runs
            }
        }
    }
}
