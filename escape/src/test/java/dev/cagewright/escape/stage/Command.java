package dev.cagewright.escape.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A process of the host with its output in files, so that nobody has to pump and no pipe can hold it up.
public final class Command implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 600;

    private final List<String> words;
    private final Process process;
    private final Path out;
    private final Path err;

    /// What it left.
    ///
    /// @param exit its code, 128 + n after signal n
    public record Result(int exit, String out, String err) {
        @Override
        public String toString() {
            return "exit " + exit + "\nout: " + out.strip() + "\nerr: " + err.strip();
        }
    }

    private Command(List<String> words, Process process, Path out, Path err) {
        this.words = words;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /// Starts it with exactly `environment`; standard input is empty.
    public static Command start(List<String> words, Path folder, Map<String, String> environment) throws IOException {
        var out = Files.createTempFile("cagewright-escape", ".out");
        var err = Files.createTempFile("cagewright-escape", ".err");
        var builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        return new Command(words, builder.start(), out, err);
    }

    /// Runs a helper of the test that has to work.
    public static String output(List<String> words, Path folder) throws IOException, InterruptedException {
        try (var command = start(words, folder, System.getenv())) {
            var result = command.await();
            assertThat(result.exit()).as("%s: %s", words, result).isZero();
            return result.out();
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// What it wrote to standard output so far.
    public String soFar() throws IOException {
        return read(out);
    }

    public String errorsSoFar() throws IOException {
        return read(err);
    }

    /// Waits for its end.
    public Result await() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("no end in " + PATIENCE_SECONDS + " s: " + words + "\nerr: " + read(err));
        }
        return new Result(process.exitValue(), read(out), read(err));
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.deleteIfExists(out);
        Files.deleteIfExists(err);
    }
}
