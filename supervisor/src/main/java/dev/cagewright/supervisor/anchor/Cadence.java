package dev.cagewright.supervisor.anchor;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// How often a growing log is signed.
///
/// @param events once so many lines are not signed, at least 1
/// @param after once a line is not signed for so long since the last checkpoint; zero for: that does not matter
public record Cadence(long events, Duration after) {
    /// No number of lines alone is a reason.
    private static final long NEVER = 999_999_999_999_999_999L;

    private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,17}");

    public Cadence {
        if (events < 1 || after.isNegative()) {
            throw new IllegalArgumentException("--every: " + events + ", " + after + " (expected: 1 or more)");
        }
    }

    /// Reads any number of spellings: digits are lines, digits with a unit are a time. Nothing at all is every line.
    public static Cadence parse(List<String> spelt) {
        if (spelt.isEmpty()) {
            return new Cadence(1, Duration.ZERO);
        }
        long events = NEVER;
        var after = Duration.ZERO;
        for (var text : spelt) {
            if (DIGITS.matcher(text).matches()) {
                events = Long.parseLong(text);
            } else {
                after = TimeSpan.parse("--every", text).value();
            }
        }
        return new Cadence(events, after);
    }

    /// For people: `after 100 lines`, `after 5m`, or both.
    public String text() {
        var lines = events == 1 ? "each line" : events + " lines";
        if (after.isZero()) {
            return "after " + lines;
        }
        return (events == NEVER ? "after " : "after " + lines + " or ") + new TimeSpan(after);
    }

    /// Is it time to sign a log that has come to `lines` lines?
    ///
    /// @param newest the newest checkpoint, if there is one
    public boolean isDue(long lines, Optional<Checkpoint> newest, Instant now) {
        long unsigned = lines - newest.map(Checkpoint::seq).orElse(0L);
        if (unsigned < 1) {
            return false;
        }
        boolean old = !after.isZero()
                && newest.map(known -> !Instant.parse(known.time()).plus(after).isAfter(now))
                        .orElse(true);
        return unsigned >= events || old;
    }
}
