package dev.cagewright.egress.address;

import dev.cagewright.policy.action.HostName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The addresses that one cage sees instead of real ones: one for each name, the same as long as the cage lives, so
/// that a connection tells the name that was looked up. They look public, because clients refuse private, documentation
/// and benchmarking addresses for hosts on the internet; nothing is ever sent to them. Bounded, safe for all threads.
public final class SyntheticAddresses {
    /// What a name is answered that is not allowed (TEST-NET-2, RFC 5737).
    public static final IpAddress SINKHOLE = IpAddress.known("198.51.100.1");

    /// Part of 11.0.0.0/8, which belongs to one organisation that offers nothing there.
    public static final AddressRange POOL = AddressRange.known("11.84.0.0/16");

    private static final int MAX_NAMES = 16_384;
    private static final int HOSTS_OF_256 = 254;

    private final AddressRange pool;
    private final int capacity;
    private final Map<HostName, IpAddress> addresses = new HashMap<>();
    private final Map<IpAddress, HostName> names = new HashMap<>();

    /// @param pool of IPv4 addresses, of 8 to 24 bits; its `.0` and `.255` are never given out
    /// @throws IllegalArgumentException if it is another
    public SyntheticAddresses(AddressRange pool) {
        if (!pool.base().isV4() || pool.length() < 8 || pool.length() > 24) {
            throw new IllegalArgumentException("pool: " + pool + " (expected: an IPv4 prefix of 8 to 24 bits)");
        }
        this.pool = pool;
        this.capacity = Math.min(MAX_NAMES, (1 << (24 - pool.length())) * HOSTS_OF_256);
    }

    public SyntheticAddresses() {
        this(POOL);
    }

    /// The address of `name`, or empty once the cage has asked for too many names; then the answer is a refusal.
    public synchronized Optional<IpAddress> of(HostName name) {
        var known = addresses.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        int index = addresses.size();
        if (index >= capacity) {
            return Optional.empty();
        }
        var next = address(index);
        addresses.put(name, next);
        names.put(next, name);
        return Optional.of(next);
    }

    private IpAddress address(int index) {
        var bytes = pool.base().toByteArray();
        int block = index / HOSTS_OF_256;
        bytes[1] |= (byte) (block >> 8);
        bytes[2] |= (byte) block;
        bytes[3] = (byte) (1 + index % HOSTS_OF_256);
        return IpAddress.of(bytes);
    }

    /// The name that was given this address.
    public synchronized Optional<HostName> nameOf(IpAddress address) {
        return Optional.ofNullable(names.get(address));
    }

    /// Is this an address of the pool, given out or not? One that has no name belongs to nobody.
    public boolean isOfPool(IpAddress address) {
        return pool.contains(address);
    }
}
