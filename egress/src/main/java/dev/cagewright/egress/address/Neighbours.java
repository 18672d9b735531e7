package dev.cagewright.egress.address;

import java.util.Optional;

/// The addresses beside one that a name leads to, for names that are meant to lead to no public address: a host moves
/// within its network, and whoever answers for the name cannot send us into another one.
public final class Neighbours {
    private static final int BITS_V4 = 24;
    private static final int BITS_V6 = 64;
    private static final AddressRange LOOPBACK_V4 = AddressRange.known("127.0.0.0/8");
    private static final AddressRange LOOPBACK_V6 = AddressRange.known("::1");

    private Neighbours() {}

    /// The range around `address`; empty for one that no name may lead to: the host's own, one that is closed to
    /// everybody, one that carries another.
    public static Optional<AddressRange> of(IpAddress address) {
        boolean isOwn = LOOPBACK_V4.contains(address) || LOOPBACK_V6.contains(address);
        boolean isOut = isOwn
                || Forbidden.reason(address).isPresent()
                || !Carried.by(address).isEmpty();
        return Optional.of(new AddressRange(address, address.isV4() ? BITS_V4 : BITS_V6))
                .filter(_ -> !isOut);
    }
}
