package dev.cagewright.egress.desk;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.dns.Names;
import dev.cagewright.policy.action.HostName;
import java.util.Optional;

/// The names of a cage with a [PolicyDesk]: the desk's own leads to the gateway, whatever a policy says, and is no
/// look-up that anybody judges; all others are `others`' matter.
public final class DeskNames implements Names {
    private final Names others;
    private final IpAddress address;

    private DeskNames(Names others, IpAddress address) {
        this.others = others;
        this.address = address;
    }

    /// Call it before any name is looked up: the desk has its address even when the cage has used up all others.
    ///
    /// @throws IllegalStateException if there is no address left
    public static Names of(PolicyDesk desk, SyntheticAddresses addresses, Names others) {
        if (!desk.isOpen()) {
            return others;
        }
        var address = addresses.of(PolicyDesk.NAME);
        return new DeskNames(
                others, address.orElseThrow(() -> new IllegalStateException("addresses: none left for the desk")));
    }

    @Override
    public Ruling of(HostName name) {
        return name.equals(PolicyDesk.NAME) ? new Reachable(address) : others.of(name);
    }

    @Override
    public Optional<HostName> nameOf(IpAddress asked) {
        return asked.equals(address) ? Optional.of(PolicyDesk.NAME) : others.nameOf(asked);
    }
}
