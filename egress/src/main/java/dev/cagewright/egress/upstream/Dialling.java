package dev.cagewright.egress.upstream;

import java.time.Duration;
import java.util.Optional;

/// How long it took to connect for one request.
///
/// @param connect TCP and TLS; empty for a connection that stood already
/// @param tls the handshake alone; empty in the clear
public record Dialling(Optional<Duration> connect, Optional<Duration> tls) {
    /// Over a connection that stood already.
    public static final Dialling STOOD = new Dialling(Optional.empty(), Optional.empty());
}
