package dev.cagewright.egress.inspect;

import java.util.List;

/// What a look says: nothing is the matter, this is worth recording, or this must not pass.
///
/// @param sightings what was seen; empty allows
public record Verdict(List<Sighting> sightings) {
    public static final Verdict ALLOW = new Verdict(List.of());

    public Verdict {
        sightings = List.copyOf(sightings);
    }

    /// Lets it pass and has it recorded.
    ///
    /// @param kind see [Sighting]
    /// @param at where it stands in the body
    public static Verdict flag(String kind, long at) {
        return new Verdict(List.of(new Sighting(Sighting.Severity.FLAG, kind, at)));
    }

    /// Ends the message.
    ///
    /// @param kind see [Sighting]
    /// @param at where it stands in the body
    public static Verdict block(String kind, long at) {
        return new Verdict(List.of(new Sighting(Sighting.Severity.BLOCK, kind, at)));
    }
}
