package dev.cagewright.egress.credential;

import java.util.List;

/// The secrets of one session as the gateway uses them. Safe for all threads.
public final class Credentials {
    /// Of a session without secrets.
    public static final Credentials NONE = new Credentials(List.of(), Alarm.NONE);

    private final List<Bound> secrets;
    private final Alarm alarm;

    private Credentials(List<Bound> secrets, Alarm alarm) {
        this.secrets = List.copyOf(secrets);
        this.alarm = alarm;
    }

    /// The secrets of a session.
    ///
    /// @param secrets each name once
    /// @param alarm hears of decoys that are used elsewhere
    public static Credentials of(List<Bound> secrets, Alarm alarm) {
        return new Credentials(secrets, alarm);
    }

    /// Are there no secrets?
    public boolean isEmpty() {
        return secrets.isEmpty();
    }

    Alarm alarm() {
        return alarm;
    }

    /// How many, never which.
    @Override
    public String toString() {
        return "(" + secrets.size() + " secrets)";
    }
}
