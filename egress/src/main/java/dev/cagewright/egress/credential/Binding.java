package dev.cagewright.egress.credential;

import dev.cagewright.policy.match.HostPattern;

/// One way in which a secret may leave. All four have to be met; a secret with several may leave by any of them.
///
/// @param host the name that the cage asked for, not what it leads to
/// @param port 1 to 65535
public record Binding(Scheme scheme, HostPattern host, int port, Place place) {
    public Binding {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }
}
