package dev.cagewright.sandbox.protect;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A process, told apart from a later one with the same number.
///
/// @param pid as this process sees it
/// @param started in clock ticks since boot, field 22 of `/proc/<pid>/stat` (proc(5))
record Owner(long pid, long started) {
    private static final int STARTED_AFTER_NAME = 19;

    static Owner self() {
        long pid = ProcessHandle.current().pid();
        return new Owner(pid, startOf(pid));
    }

    boolean isAlive() {
        return startOf(pid) == started;
    }

    /// -1 if there is no such process.
    private static long startOf(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name in brackets may hold anything, so count from its end.
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[STARTED_AFTER_NAME]);
        } catch (IOException | RuntimeException _) {
            return -1;
        }
    }
}
