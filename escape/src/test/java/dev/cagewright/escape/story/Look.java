package dev.cagewright.escape.story;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// What the host sees.
final class Look {
    private Look() {}

    /// A condition that may take a moment to become true.
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    /// Waits until `condition` holds and answers whether it did within `patience`.
    static boolean until(Duration patience, Condition condition) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(2_000_000);
        }
        return true;
    }

    /// Processes of the host, the cage's included, that have `word` in their command line and are the probe program.
    static List<Long> processesWith(String word) throws IOException {
        try (var entries = Files.list(Path.of("/proc"))) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.matches("[0-9]+"))
                    .filter(pid -> isProbeWith(pid, word))
                    .map(Long::valueOf)
                    .toList();
        }
    }

    private static boolean isProbeWith(String pid, String word) {
        try {
            var bytes = Files.readAllBytes(Path.of("/proc", pid, "cmdline"));
            var words = List.of(new String(bytes, StandardCharsets.UTF_8).split("\0", -1));
            return words.getFirst().endsWith("/probe") && words.contains(word);
        } catch (IOException e) {
            return false; // it ended meanwhile
        }
    }

    /// Ends processes that the test itself started outside a cage.
    static void end(List<Long> pids) {
        pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    static String text(Path file) throws IOException {
        return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1) : "";
    }
}
