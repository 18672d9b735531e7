package dev.cagewright.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Another JVM that runs [WriterProgram], and what it says.
final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private Child(Process process) {
        this.process = process;
        this.lines = process.inputReader();
    }

    static Child start(String... arguments) throws IOException {
        return start(List.of(), arguments);
    }

    /// @param wrapper a command that runs the rest of its arguments
    static Child start(List<String> wrapper, String... arguments) throws IOException {
        var command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx64m", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(WriterProgram.class.getName());
        command.addAll(Arrays.asList(arguments));
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /// The next line, or the empty text at the end.
    String next() {
        try {
            var line = lines.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> rest() {
        return lines.lines().toList();
    }

    /// SIGKILL. By the handle: the process itself would also throw away what was said and not read yet.
    void kill() {
        process.toHandle().destroyForcibly();
    }

    long pid() {
        return process.pid();
    }

    int exit() throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the child ends").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        lines.close();
    }
}
