package dev.cagewright.supervisor.budget;

import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands where it was set.
final class SetClock implements InstantSource {
    private volatile Instant now;

    SetClock(String time) {
        now = Instant.parse(time);
    }

    void set(String time) {
        now = Instant.parse(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
