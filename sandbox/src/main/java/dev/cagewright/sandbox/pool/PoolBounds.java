package dev.cagewright.sandbox.pool;

import java.time.Duration;

/// The most a pool may hold.
///
/// @param spares waiting cages of all specifications together, 1 to 4096
/// @param age how long one may wait; an older one is destroyed and another built in its place
/// @param unused how long a specification is kept that nobody asks for
public record PoolBounds(int spares, Duration age, Duration unused) {
    /// 64 cages, at most five minutes old, of specifications asked for in the last hour.
    public static final PoolBounds DEFAULT = new PoolBounds(64, Duration.ofMinutes(5), Duration.ofHours(1));

    public PoolBounds {
        if (spares < 1 || spares > 4096) {
            throw new IllegalArgumentException("spares: " + spares + " (expected: 1 to 4096)");
        }
        requirePositive("age", age);
        requirePositive("unused", unused);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
