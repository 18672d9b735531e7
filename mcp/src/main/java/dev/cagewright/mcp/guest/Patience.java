package dev.cagewright.mcp.guest;

import java.time.Duration;

/// How long things may take.
///
/// @param opening from a server's start until it has opened
/// @param quiet from a request, or the last word of its progress, to its answer
/// @param longest from a request to its answer, whatever progress is told
public record Patience(Duration opening, Duration quiet, Duration longest) {
    /// A minute to open, two minutes of silence, an hour altogether.
    public static final Patience USUAL =
            new Patience(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofHours(1));

    /// The same, but for a server that opens while it is asked: silence has the time that opening has.
    Patience ofOpening() {
        return new Patience(opening, opening, opening);
    }

    /// The same with another bound on silence.
    public Patience withQuiet(Duration changed) {
        return new Patience(opening, changed, longest.compareTo(changed) < 0 ? changed : longest);
    }
}
