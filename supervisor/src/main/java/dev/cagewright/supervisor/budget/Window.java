package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.document.Budget;
import java.time.Instant;

/// A count and the period it belongs to, as one number that changes at once: the period's number since 1970 in UTC
/// above, the count below. No period ever comes again: a clock that is set back stays in the last one.
///
/// @param seconds how long a period is
/// @param bits of the count
record Window(long seconds, int bits) {
    static final Window MINUTE = new Window(60, 37);
    static final Window HOUR = new Window(3600, 43);
    static final Window DAY = new Window(86_400, 47);

    /// The sign stays out of it.
    private static final int ALL_BITS = 63;

    /// @throws IllegalArgumentException for a run, which has no periods
    static Window of(Budget.Per per) {
        return switch (per) {
            case MINUTE -> MINUTE;
            case HOUR -> HOUR;
            case DAY -> DAY;
            case RUN -> throw new IllegalArgumentException("per: RUN (expected: a period)");
        };
    }

    /// The most that can be counted: 128 GiB a minute, 8 TiB an hour, 128 TiB a day.
    long most() {
        return (1L << bits) - 1;
    }

    /// The period that runs at `now`, if the last one counted in was that of `word`.
    long period(long word, Instant now) {
        long last = (1L << (ALL_BITS - bits)) - 1;
        long clock = Math.clamp(Math.floorDiv(now.getEpochSecond(), seconds), 0, last);
        return Math.max(clock, word >>> bits);
    }

    /// How much is used of `period`.
    long used(long word, long period) {
        return word >>> bits == period ? word & most() : 0;
    }

    long word(long period, long used) {
        return period << bits | used;
    }

    Instant endOf(long period) {
        return Instant.ofEpochSecond((period + 1) * seconds);
    }
}
