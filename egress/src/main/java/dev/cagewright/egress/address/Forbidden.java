package dev.cagewright.egress.address;

import java.util.List;
import java.util.Optional;

/// Addresses that no rule can open: those where clouds hand out credentials, link-local ones, and those that are no
/// single host's.
final class Forbidden {
    private record Reason(AddressRange range, String why) {}

    private static final String METADATA = "cloud metadata and link-local addresses are never reachable";
    private static final String NO_HOST = "no single host has this address";

    private static final List<Reason> ALL = List.of(
            // AWS, Google, Azure, Oracle, DigitalOcean, Hetzner, OpenStack at .169.254; AWS tasks and pods at .170.
            reason("169.254.0.0/16", METADATA),
            reason("100.100.100.200", METADATA), // Alibaba
            reason("168.63.129.16", METADATA), // Azure's WireServer, in a public range
            reason("192.0.0.192", METADATA), // Oracle Cloud Classic
            reason("fd00:ec2::/32", METADATA), // AWS
            reason("fd20:ce::254", METADATA), // Google
            reason("fd00:c1::a9fe:a9fe", METADATA), // Oracle
            reason("fd00:42::42", METADATA), // Scaleway
            reason("fe80::/10", METADATA),
            reason("0.0.0.0/8", NO_HOST),
            reason("::/128", NO_HOST),
            reason("224.0.0.0/4", NO_HOST),
            reason("ff00::/8", NO_HOST),
            reason("255.255.255.255", NO_HOST));

    private Forbidden() {}

    private static Reason reason(String range, String why) {
        return new Reason(AddressRange.known(range), why);
    }

    /// Why nothing may go there, or to the metadata address that it carries.
    static Optional<String> reason(IpAddress address) {
        return here(address)
                .or(() -> Carried.by(address).stream()
                        .flatMap(inner -> here(inner).filter(METADATA::equals).stream()
                                .map(why -> why + " (carried: " + inner + ")"))
                        .findFirst());
    }

    private static Optional<String> here(IpAddress address) {
        return ALL.stream()
                .filter(reason -> reason.range().contains(address))
                .map(Reason::why)
                .findFirst();
    }
}
