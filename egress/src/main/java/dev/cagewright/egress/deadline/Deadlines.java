package dev.cagewright.egress.deadline;

import java.time.Duration;

/// How long each phase of a connection may take.
///
/// @param greeting from the accept to the whole of the first bytes, and of a TLS handshake
/// @param head between the requests of one connection and for a request's head
/// @param idle without a byte either way, once a request is on its way
public record Deadlines(Duration greeting, Duration head, Duration idle) {
    public static final Deadlines DEFAULT =
            new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(75), Duration.ofMinutes(15));
}
