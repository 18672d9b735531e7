package dev.cagewright.sandbox;

import java.util.Optional;

/// The cage's network door: sockets made inside its network namespace. Whoever [Descriptor#detach]es one
/// owns it; the rest is closed with the cage. A detached socket keeps the namespace alive: close it when
/// the cage ends.
///
/// @param tcp a listening socket, IPv6 and IPv4, that receives every TCP connection of the cage; the
///     accepted socket's local address is where the workload wanted to go
/// @param dns4 a datagram socket on 0.0.0.0:53 with `IP_PKTINFO`
/// @param dns6 a datagram socket on `[::]:53` with `IPV6_RECVPKTINFO` and `IPV6_FREEBIND`; empty where the
///     host has no IPv6
public record NetCell(Descriptor tcp, Descriptor dns4, Optional<Descriptor> dns6) {}
