package dev.cagewright.egress.authority;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that is moved by hand, from the real time on.
final class TickingClock implements InstantSource {
    private volatile Instant now = Instant.now();

    void move(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
