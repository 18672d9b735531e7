package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Exit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// How a program's process ended, before its output is complete.
record ProgramEnd(int status, Exit.Cause cause, String detail, Exit.Usage usage) {
    private static final Exit.Usage UNKNOWN = new Exit.Usage(Duration.ZERO, Duration.ZERO, 0, Duration.ZERO);

    /// The mirror of `struct message` with kind `ENDED`: wait status, user and system microseconds, KiB.
    static ProgramEnd of(Wire.Answer ended) {
        int wait = (int) ended.value();
        int signal = wait & 0x7f;
        var usage = new Exit.Usage(
                Duration.of(ended.values().get(1), ChronoUnit.MICROS),
                Duration.of(ended.values().get(2), ChronoUnit.MICROS),
                ended.values().get(3) * 1024,
                Duration.ZERO);
        if (signal != 0) {
            return new ProgramEnd(128 + signal, Exit.Cause.SIGNALLED, "killed by signal " + signal, usage);
        }
        return new ProgramEnd((wait >> 8) & 0xff, Exit.Cause.EXITED, "", usage);
    }

    static ProgramEnd notStarted(int status, String detail) {
        return new ProgramEnd(status, Exit.Cause.NOT_STARTED, detail, UNKNOWN);
    }

    static ProgramEnd lost(int status, Exit.Cause cause) {
        return new ProgramEnd(status, cause, words(cause), UNKNOWN);
    }

    ProgramEnd because(Exit.Cause changed) {
        return new ProgramEnd(status, changed, words(changed), usage);
    }

    ProgramEnd after(long wallNanos) {
        return new ProgramEnd(
                status,
                cause,
                detail,
                new Exit.Usage(usage.user(), usage.system(), usage.maxResidentBytes(), Duration.ofNanos(wallNanos)));
    }

    private static String words(Exit.Cause cause) {
        return switch (cause) {
            case EXITED, SIGNALLED, NOT_STARTED -> "";
            case TIMEOUT -> "its wall time was over";
            case MEMORY -> "the cage used more memory than its limit";
            case OUTPUT -> "it wrote more than its limit";
            case DISK -> "the session's copies hold more bytes than their limit";
            case FILES -> "the session's copies hold more files than their limit";
            case UNCOVERED -> "what protects a file had been taken away, and the cage could not be trusted to go on";
            case KILLED -> "the cage was killed";
            case CANCELLED -> "it was taken back";
        };
    }

    Exit exit(Exit.Output output) {
        return new Exit(status, cause, detail, usage, output);
    }
}
