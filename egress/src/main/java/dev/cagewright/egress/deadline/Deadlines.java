package dev.cagewright.egress.deadline;

import java.time.Duration;

/// How long each phase of a connection may take.
///
/// @param greeting from the accept to the whole of the first bytes, and of a TLS handshake
/// @param head between the requests of one connection and for a request's head
/// @param idle without a byte either way, once a request is on its way
/// @param dial for a connection to one address of an origin, and again for the handshake
public record Deadlines(Duration greeting, Duration head, Duration idle, Duration dial) {
    private static final Duration DIAL = Duration.ofSeconds(10);

    public static final Deadlines DEFAULT =
            new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(75), Duration.ofMinutes(15));

    /// With the usual patience for origins.
    public Deadlines(Duration greeting, Duration head, Duration idle) {
        this(greeting, head, idle, DIAL);
    }
}
