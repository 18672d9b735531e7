package dev.cagewright.egress.crowd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many files and sockets this process may have open.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String NAME = "Max open files";

    /// What Linux gives when nobody says anything.
    private static final long USUAL = 1024;

    private Descriptors() {}

    /// The soft limit, proc_pid_limits(5); 1,024 where it cannot be read.
    public static long limit() {
        try (var lines = Files.lines(LIMITS)) {
            return lines.filter(line -> line.startsWith(NAME))
                    .map(line -> line.substring(NAME.length()).strip().split(" +", 2)[0])
                    .filter(word -> word.matches("[0-9]{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(USUAL);
        } catch (IOException _) {
            return USUAL;
        }
    }
}
