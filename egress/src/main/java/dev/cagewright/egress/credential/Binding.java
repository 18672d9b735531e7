package dev.cagewright.egress.credential;

import dev.cagewright.policy.match.HostPattern;
import java.util.List;

/// One way in which a secret may leave. All of it has to be met; a secret with several may leave by any of them.
///
/// @param host the name that the cage asked for, not what it leads to
/// @param port 1 to 65535
/// @param paths of the request, each in its one spelling; empty means any
public record Binding(Scheme scheme, HostPattern host, int port, Place place, List<String> paths) {
    /// Whatever the path.
    public Binding(Scheme scheme, HostPattern host, int port, Place place) {
        this(scheme, host, port, place, List.of());
    }

    public Binding {
        paths = List.copyOf(paths);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }
}
