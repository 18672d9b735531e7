package dev.cagewright.bench.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A process of the measurement. Closing it ends it and what it started. For one thread.
final class Started implements AutoCloseable {
    private static final long TICK_NANOS = 10_000_000;

    private final Process process;
    private final PrintStream in;
    private final BufferedReader out;

    private Started(Process process) {
        this.process = process;
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        this.out = process.inputReader(StandardCharsets.US_ASCII);
    }

    /// @param log where it complains
    static Started of(List<String> words, Path folder, Path log, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(words).directory(folder.toFile()).redirectError(log.toFile());
        builder.environment().putAll(environment);
        return new Started(builder.start());
    }

    String line() throws IOException {
        var line = out.readLine();
        if (line == null) {
            throw new IOException(
                    "process ended: " + process.info().commandLine().orElse("?"));
        }
        return line;
    }

    Yield carryOut(Order order) throws IOException {
        in.println(order.line());
        var line = line();
        if (line.startsWith("failed")) {
            throw new IOException(order.line() + ": " + line);
        }
        return Yield.read(line);
    }

    /// Processor time of it and of processes that it started for its own work.
    ///
    /// @param whose of its children it is asked for
    long processorNanos(Family whose) throws IOException {
        long ticks = ticks(process.pid());
        if (whose == Family.WITH_CHILDREN) {
            for (var child : process.descendants().toList()) {
                ticks += ticks(child.pid());
            }
        }
        return ticks * TICK_NANOS;
    }

    /// Whether what a process starts is part of it.
    enum Family {
        ALONE,
        WITH_CHILDREN
    }

    /// proc_pid_stat(5): fields 14 and 15.
    private static long ticks(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc", "" + pid, "stat"), StandardCharsets.ISO_8859_1);
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    /// Resident memory in bytes.
    long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc", "" + process.pid(), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        in.close();
        try {
            if (!process.waitFor(3, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
                process.waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
