package dev.cagewright.policy.quantity;

import java.time.Duration;

/// A length of time, from 1 ms to 3650 days. Spelt as digits and one unit: `ms`, `s`, `m` (minutes), `h` or `d`
/// (24 hours), lower case, without sign, fraction or blank.
public record TimeSpan(Duration value) implements Comparable<TimeSpan> {
    private static final Duration MOST = Duration.ofDays(3650);
    private static final String EXPECTED = "digits and ms, s, m, h or d, e.g. 30m, more than 0 and at most 3650d";

    public TimeSpan {
        if (value.isNegative() || value.toMillis() == 0 || value.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("time: " + value + " (expected: 1 ms to 3650 days)");
        }
    }

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static TimeSpan parse(String field, String text) {
        int unitAt = 0;
        while (unitAt < text.length() && text.charAt(unitAt) >= '0' && text.charAt(unitAt) <= '9') {
            unitAt++;
        }
        long millis = switch (text.substring(unitAt)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> throw Field.refusal(field, text, EXPECTED);
        };
        long number = Digits.parseOrNegative(text.substring(0, unitAt));
        if (number < 1 || number > MOST.toMillis() / millis) {
            throw Field.refusal(field, text, EXPECTED);
        }
        return new TimeSpan(Duration.ofMillis(Math.multiplyExact(number, millis)));
    }

    @Override
    public int compareTo(TimeSpan other) {
        return value.compareTo(other.value);
    }

    /// The spelling with the largest unit that is exact.
    @Override
    public String toString() {
        long millis = value.toMillis();
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
