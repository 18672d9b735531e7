package dev.cagewright.egress.dns;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.HostPattern;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// The names of a cage that may reach what its patterns mean; remembers what it was asked.
final class CageNames implements Names {
    final SyntheticAddresses addresses = new SyntheticAddresses();
    final List<HostName> asked = new CopyOnWriteArrayList<>();
    private final List<HostPattern> allowed;

    CageNames(String... allowed) {
        this.allowed = List.of(allowed).stream()
                .map(text -> HostPattern.parse("host", text))
                .toList();
    }

    @Override
    public Ruling of(HostName name) {
        asked.add(name);
        return allowed.stream().anyMatch(pattern -> pattern.matches(name))
                ? new Reachable(addresses.of(name).orElseThrow())
                : new Refused(
                        "k3v9x2m4qp-" + asked.size(), "NO_RULE: no rule names " + name, SyntheticAddresses.SINKHOLE);
    }

    @Override
    public Optional<HostName> nameOf(IpAddress address) {
        return addresses.nameOf(address);
    }
}
