package dev.cagewright.egress.address;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A range that is set apart from the public internet: a row of the IANA IPv4 or IPv6 Special-Purpose Address Registry
/// (RFC 6890, RFC 8190; state of October 2025), or one of the ranges that other registries set apart: multicast,
/// site-local, and the transition formats that carry an IPv4 address.
///
/// A mapped IPv4 address (`::ffff:0:0/96`) has no row here because [IpAddress] makes it the IPv4 address, which has
/// one.
///
/// @param name as the registry has it
/// @param source the document that set it apart, e.g. `RFC 1918`
public record SpecialPurpose(String name, AddressRange range, String source, Reach reach) {

    /// May a router forward a packet to such an address beyond one administrative domain?
    public enum Reach {
        GLOBAL,
        NOT_GLOBAL,
        /// Depends on the address that is carried in it, or was withdrawn.
        NOT_APPLICABLE
    }

    private static final List<SpecialPurpose> ALL = List.of(
            no("This network", "0.0.0.0/8", "RFC 791"),
            no("This host on this network", "0.0.0.0/32", "RFC 1122"),
            no("Private-Use", "10.0.0.0/8", "RFC 1918"),
            no("Shared Address Space", "100.64.0.0/10", "RFC 6598"),
            no("Loopback", "127.0.0.0/8", "RFC 1122"),
            no("Link Local", "169.254.0.0/16", "RFC 3927"),
            no("Private-Use", "172.16.0.0/12", "RFC 1918"),
            no("IETF Protocol Assignments", "192.0.0.0/24", "RFC 6890"),
            no("IPv4 Service Continuity Prefix", "192.0.0.0/29", "RFC 7335"),
            no("IPv4 dummy address", "192.0.0.8/32", "RFC 7600"),
            yes("Port Control Protocol Anycast", "192.0.0.9/32", "RFC 7723"),
            yes("Traversal Using Relays around NAT Anycast", "192.0.0.10/32", "RFC 8155"),
            no("NAT64/DNS64 Discovery", "192.0.0.170/32", "RFC 7050"),
            no("NAT64/DNS64 Discovery", "192.0.0.171/32", "RFC 7050"),
            no("Documentation (TEST-NET-1)", "192.0.2.0/24", "RFC 5737"),
            yes("AS112-v4", "192.31.196.0/24", "RFC 7535"),
            yes("AMT", "192.52.193.0/24", "RFC 7450"),
            open("Deprecated (6to4 Relay Anycast)", "192.88.99.0/24", "RFC 7526"),
            no("6a44-relay anycast address", "192.88.99.2/32", "RFC 6751"),
            no("Private-Use", "192.168.0.0/16", "RFC 1918"),
            yes("Direct Delegation AS112 Service", "192.175.48.0/24", "RFC 7534"),
            no("Benchmarking", "198.18.0.0/15", "RFC 2544"),
            no("Documentation (TEST-NET-2)", "198.51.100.0/24", "RFC 5737"),
            no("Documentation (TEST-NET-3)", "203.0.113.0/24", "RFC 5737"),
            no("Multicast", "224.0.0.0/4", "RFC 5771"),
            no("Reserved", "240.0.0.0/4", "RFC 1112"),
            no("Limited Broadcast", "255.255.255.255/32", "RFC 919"),
            no("Unspecified Address", "::/128", "RFC 4291"),
            no("Loopback Address", "::1/128", "RFC 4291"),
            open("IPv4-compatible (deprecated)", "::/96", "RFC 4291"),
            open("IPv4-translated (deprecated)", "::ffff:0:0:0/96", "RFC 2765"),
            yes("IPv4-IPv6 Translat.", "64:ff9b::/96", "RFC 6052"),
            no("IPv4-IPv6 Translat.", "64:ff9b:1::/48", "RFC 8215"),
            no("Discard-Only Address Block", "100::/64", "RFC 6666"),
            no("Dummy IPv6 Prefix", "100:0:0:1::/64", "RFC 9780"),
            no("IETF Protocol Assignments", "2001::/23", "RFC 2928"),
            open("TEREDO", "2001::/32", "RFC 4380"),
            yes("Port Control Protocol Anycast", "2001:1::1/128", "RFC 7723"),
            yes("Traversal Using Relays around NAT Anycast", "2001:1::2/128", "RFC 8155"),
            yes("DNS-SD Service Registration Protocol Anycast", "2001:1::3/128", "RFC 9665"),
            no("Benchmarking", "2001:2::/48", "RFC 5180"),
            yes("AMT", "2001:3::/32", "RFC 7450"),
            yes("AS112-v6", "2001:4:112::/48", "RFC 7535"),
            open("Deprecated (previously ORCHID)", "2001:10::/28", "RFC 4843"),
            yes("ORCHIDv2", "2001:20::/28", "RFC 7343"),
            yes("Drone Remote ID Protocol Entity Tags (DETs) Prefix", "2001:30::/28", "RFC 9374"),
            no("Documentation", "2001:db8::/32", "RFC 3849"),
            open("6to4", "2002::/16", "RFC 3056"),
            yes("Direct Delegation AS112 Service", "2620:4f:8000::/48", "RFC 7534"),
            no("Documentation", "3fff::/20", "RFC 9637"),
            no("Segment Routing (SRv6) SIDs", "5f00::/16", "RFC 9602"),
            no("Unique-Local", "fc00::/7", "RFC 4193"),
            no("Link-Local Unicast", "fe80::/10", "RFC 4291"),
            no("Site-Local (deprecated)", "fec0::/10", "RFC 3879"),
            no("Multicast", "ff00::/8", "RFC 4291"));

    private static final List<SpecialPurpose> NARROWEST_FIRST = ALL.stream()
            .sorted(Comparator.comparingInt((SpecialPurpose row) -> row.range().length())
                    .reversed())
            .toList();

    private static SpecialPurpose no(String name, String range, String source) {
        return new SpecialPurpose(name, AddressRange.known(range), source, Reach.NOT_GLOBAL);
    }

    private static SpecialPurpose yes(String name, String range, String source) {
        return new SpecialPurpose(name, AddressRange.known(range), source, Reach.GLOBAL);
    }

    private static SpecialPurpose open(String name, String range, String source) {
        return new SpecialPurpose(name, AddressRange.known(range), source, Reach.NOT_APPLICABLE);
    }

    /// The rows, IPv4 before IPv6, by address.
    public static List<SpecialPurpose> all() {
        return ALL;
    }

    /// The narrowest row that `address` is in.
    public static Optional<SpecialPurpose> of(IpAddress address) {
        return NARROWEST_FIRST.stream()
                .filter(row -> row.range().contains(address))
                .findFirst();
    }

    @Override
    public String toString() {
        return name + " " + range + ", " + source;
    }
}
