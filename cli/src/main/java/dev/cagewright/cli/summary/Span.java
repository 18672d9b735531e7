package dev.cagewright.cli.summary;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/// Times for people.
final class Span {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;

    private Span() {}

    /// `0.42 s`, `38 s`, `4 min 12 s`, `3 h 5 min`.
    static String of(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < 10) {
            return BigDecimal.valueOf(Math.max(0, time.toMillis()), 3)
                            .setScale(2, RoundingMode.HALF_UP)
                            .toPlainString()
                    + " s";
        }
        if (seconds < MINUTE) {
            return seconds + " s";
        }
        return seconds < HOUR
                ? seconds / MINUTE + " min " + seconds % MINUTE + " s"
                : seconds / HOUR + " h " + seconds % HOUR / MINUTE + " min";
    }
}
