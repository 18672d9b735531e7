package dev.cagewright.sandbox.namespaces.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The resource limits that this process was started with, proc_pid_limits(5).
final class InheritedLimits {
    private InheritedLimits() {}

    /// The soft limit on the line that begins with `name`; the largest number when there is none.
    static long soft(String name) {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split(" +", -1)[0])
                    .filter(value -> !value.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        } catch (IOException _) {
            return Long.MAX_VALUE;
        }
    }
}
