package dev.cagewright.secrets.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a store knows of a secret, without its value.
///
/// @param name 1 to 128 letters, digits, `.`, `_` and `-`
/// @param versions oldest first, the last one in use; never empty
/// @param lastUsed when a run was last given it
/// @param decoys which of its decoys are good: those that were made while this number stood
public record Stored(
        String name,
        Binding binding,
        Optional<Refresh> refresh,
        List<Version> versions,
        Optional<Instant> lastUsed,
        long decoys) {
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";

    /// One value.
    ///
    /// @param number never given twice in a store
    /// @param since when it was stored
    /// @param expires when it is good no longer
    public record Version(long number, Instant since, Optional<Instant> expires) {
        /// Is it to be had again? So it is when the clock says that it is not stored yet.
        public boolean isStale(Instant now) {
            return expires.filter(end -> !now.isBefore(end) || now.isBefore(since))
                    .isPresent();
        }
    }

    public Stored {
        requireName(name);
        versions = List.copyOf(versions);
        if (versions.isEmpty()) {
            throw new IllegalArgumentException(name + " has no version (expected: one at least)");
        }
    }

    /// Refuses what is no name.
    ///
    /// @throws IllegalArgumentException if it is none; it may be a value, so the message does not show it
    public static void requireName(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("the secret's name is none (expected: 1 to 128 letters, digits, '.', '_'"
                    + " and '-', a letter or digit first)");
        }
    }

    /// The version in use.
    public Version current() {
        return versions.getLast();
    }

    Stored with(Binding other) {
        return new Stored(name, other, refresh, versions, lastUsed, decoys);
    }

    Stored with(List<Version> others, Optional<Refresh> again) {
        return new Stored(name, binding, again, others, lastUsed, decoys);
    }

    Stored usedAt(Instant now) {
        return new Stored(name, binding, refresh, versions, Optional.of(now), decoys);
    }

    Stored withDecoysOf(long number) {
        return new Stored(name, binding, refresh, versions, lastUsed, number);
    }
}
