package dev.cagewright.egress.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.SpecialPurpose.Reach;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecialPurposeTest {
    private static final int ROWS = 55;

    /// A row as the registries print it, its first and last address written out, and what stands one before and one
    /// after: another row's prefix, `public`, or nothing where the family ends.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0.0.0.0/8, This network, RFC 791, NOT_GLOBAL, 0.0.0.1, 0.255.255.255, 0.0.0.0/32, public",
        "0.0.0.0/32, This host on this network, RFC 1122, NOT_GLOBAL, 0.0.0.0, 0.0.0.0, , 0.0.0.0/8",
        "10.0.0.0/8, Private-Use, RFC 1918, NOT_GLOBAL, 10.0.0.0, 10.255.255.255, public, public",
        "100.64.0.0/10, Shared Address Space, RFC 6598, NOT_GLOBAL, 100.64.0.0, 100.127.255.255, public, public",
        "127.0.0.0/8, Loopback, RFC 1122, NOT_GLOBAL, 127.0.0.0, 127.255.255.255, public, public",
        "169.254.0.0/16, Link Local, RFC 3927, NOT_GLOBAL, 169.254.0.0, 169.254.255.255, public, public",
        "172.16.0.0/12, Private-Use, RFC 1918, NOT_GLOBAL, 172.16.0.0, 172.31.255.255, public, public",
        "192.0.0.0/24, IETF Protocol Assignments, RFC 6890, NOT_GLOBAL, 192.0.0.11, 192.0.0.255, 192.0.0.10/32, public",
        "192.0.0.0/29, IPv4 Service Continuity Prefix, RFC 7335, NOT_GLOBAL, 192.0.0.0, 192.0.0.7, public, 192.0.0.8/32",
        "192.0.0.8/32, IPv4 dummy address, RFC 7600, NOT_GLOBAL, 192.0.0.8, 192.0.0.8, 192.0.0.0/29, 192.0.0.9/32",
        "192.0.0.9/32, Port Control Protocol Anycast, RFC 7723, GLOBAL, 192.0.0.9, 192.0.0.9, 192.0.0.8/32, 192.0.0.10/32",
        "192.0.0.10/32, Traversal Using Relays around NAT Anycast, RFC 8155, GLOBAL, 192.0.0.10, 192.0.0.10, 192.0.0.9/32, 192.0.0.0/24",
        "192.0.0.170/32, NAT64/DNS64 Discovery, RFC 7050, NOT_GLOBAL, 192.0.0.170, 192.0.0.170, 192.0.0.0/24, 192.0.0.171/32",
        "192.0.0.171/32, NAT64/DNS64 Discovery, RFC 7050, NOT_GLOBAL, 192.0.0.171, 192.0.0.171, 192.0.0.170/32, 192.0.0.0/24",
        "192.0.2.0/24, Documentation (TEST-NET-1), RFC 5737, NOT_GLOBAL, 192.0.2.0, 192.0.2.255, public, public",
        "192.31.196.0/24, AS112-v4, RFC 7535, GLOBAL, 192.31.196.0, 192.31.196.255, public, public",
        "192.52.193.0/24, AMT, RFC 7450, GLOBAL, 192.52.193.0, 192.52.193.255, public, public",
        "192.88.99.0/24, Deprecated (6to4 Relay Anycast), RFC 7526, NOT_APPLICABLE, 192.88.99.3, 192.88.99.255, 192.88.99.2/32, public",
        "192.88.99.2/32, 6a44-relay anycast address, RFC 6751, NOT_GLOBAL, 192.88.99.2, 192.88.99.2, 192.88.99.0/24, 192.88.99.0/24",
        "192.168.0.0/16, Private-Use, RFC 1918, NOT_GLOBAL, 192.168.0.0, 192.168.255.255, public, public",
        "192.175.48.0/24, Direct Delegation AS112 Service, RFC 7534, GLOBAL, 192.175.48.0, 192.175.48.255, public, public",
        "198.18.0.0/15, Benchmarking, RFC 2544, NOT_GLOBAL, 198.18.0.0, 198.19.255.255, public, public",
        "198.51.100.0/24, Documentation (TEST-NET-2), RFC 5737, NOT_GLOBAL, 198.51.100.0, 198.51.100.255, public, public",
        "203.0.113.0/24, Documentation (TEST-NET-3), RFC 5737, NOT_GLOBAL, 203.0.113.0, 203.0.113.255, public, public",
        "224.0.0.0/4, Multicast, RFC 5771, NOT_GLOBAL, 224.0.0.0, 239.255.255.255, public, 240.0.0.0/4",
        "240.0.0.0/4, Reserved, RFC 1112, NOT_GLOBAL, 240.0.0.0, 255.255.255.254, 224.0.0.0/4, 255.255.255.255/32",
        "255.255.255.255/32, Limited Broadcast, RFC 919, NOT_GLOBAL, 255.255.255.255, 255.255.255.255, 240.0.0.0/4, ",
    })
    void each_row_of_ipv4_is_what_the_registry_says(
            String prefix,
            String name,
            String source,
            Reach reach,
            String first,
            String last,
            String before,
            String after) {
        requireRow(new Row(prefix, name, source, reach), List.of(first, last), neighbours(before, after));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "::/128, Unspecified Address, RFC 4291, NOT_GLOBAL, ::, ::, , ::1/128",
        "::1/128, Loopback Address, RFC 4291, NOT_GLOBAL, ::1, ::1, ::/128, ::/96",
        "::/96, IPv4-compatible (deprecated), RFC 4291, NOT_APPLICABLE, ::2, ::ffff:ffff, ::1/128, public",
        "::ffff:0:0:0/96, IPv4-translated (deprecated), RFC 2765, NOT_APPLICABLE, ::ffff:0:0:0, ::ffff:0:ffff:ffff, public, public",
        "64:ff9b::/96, IPv4-IPv6 Translat., RFC 6052, GLOBAL, 64:ff9b::, 64:ff9b::ffff:ffff, public, public",
        "64:ff9b:1::/48, IPv4-IPv6 Translat., RFC 8215, NOT_GLOBAL, 64:ff9b:1::, 64:ff9b:1:ffff:ffff:ffff:ffff:ffff, public, public",
        "100::/64, Discard-Only Address Block, RFC 6666, NOT_GLOBAL, 100::, 100::ffff:ffff:ffff:ffff, public, 100:0:0:1::/64",
        "100:0:0:1::/64, Dummy IPv6 Prefix, RFC 9780, NOT_GLOBAL, 100:0:0:1::, 100::1:ffff:ffff:ffff:ffff, 100::/64, public",
        "2001::/23, IETF Protocol Assignments, RFC 2928, NOT_GLOBAL, 2001:1::4, 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff, 2001:1::3/128, public",
        "2001::/32, TEREDO, RFC 4380, NOT_APPLICABLE, 2001::, 2001:0:ffff:ffff:ffff:ffff:ffff:ffff, public, 2001::/23",
        "2001:1::1/128, Port Control Protocol Anycast, RFC 7723, GLOBAL, 2001:1::1, 2001:1::1, 2001::/23, 2001:1::2/128",
        "2001:1::2/128, Traversal Using Relays around NAT Anycast, RFC 8155, GLOBAL, 2001:1::2, 2001:1::2, 2001:1::1/128, 2001:1::3/128",
        "2001:1::3/128, DNS-SD Service Registration Protocol Anycast, RFC 9665, GLOBAL, 2001:1::3, 2001:1::3, 2001:1::2/128, 2001::/23",
        "2001:2::/48, Benchmarking, RFC 5180, NOT_GLOBAL, 2001:2::, 2001:2:0:ffff:ffff:ffff:ffff:ffff, 2001::/23, 2001::/23",
        "2001:3::/32, AMT, RFC 7450, GLOBAL, 2001:3::, 2001:3:ffff:ffff:ffff:ffff:ffff:ffff, 2001::/23, 2001::/23",
        "2001:4:112::/48, AS112-v6, RFC 7535, GLOBAL, 2001:4:112::, 2001:4:112:ffff:ffff:ffff:ffff:ffff, 2001::/23, 2001::/23",
        "2001:10::/28, Deprecated (previously ORCHID), RFC 4843, NOT_APPLICABLE, 2001:10::, 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff, 2001::/23, 2001:20::/28",
        "2001:20::/28, ORCHIDv2, RFC 7343, GLOBAL, 2001:20::, 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff, 2001:10::/28, 2001:30::/28",
        "2001:30::/28, Drone Remote ID Protocol Entity Tags (DETs) Prefix, RFC 9374, GLOBAL, 2001:30::, 2001:3f:ffff:ffff:ffff:ffff:ffff:ffff, 2001:20::/28, 2001::/23",
        "2001:db8::/32, Documentation, RFC 3849, NOT_GLOBAL, 2001:db8::, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, public, public",
        "2002::/16, 6to4, RFC 3056, NOT_APPLICABLE, 2002::, 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff, public, public",
        "2620:4f:8000::/48, Direct Delegation AS112 Service, RFC 7534, GLOBAL, 2620:4f:8000::, 2620:4f:8000:ffff:ffff:ffff:ffff:ffff, public, public",
        "3fff::/20, Documentation, RFC 9637, NOT_GLOBAL, 3fff::, 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff, public, public",
        "5f00::/16, Segment Routing (SRv6) SIDs, RFC 9602, NOT_GLOBAL, 5f00::, 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff, public, public",
        "fc00::/7, Unique-Local, RFC 4193, NOT_GLOBAL, fc00::, fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, public, public",
        "fe80::/10, Link-Local Unicast, RFC 4291, NOT_GLOBAL, fe80::, febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff, public, fec0::/10",
        "fec0::/10, Site-Local (deprecated), RFC 3879, NOT_GLOBAL, fec0::, feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fe80::/10, ff00::/8",
        "ff00::/8, Multicast, RFC 4291, NOT_GLOBAL, ff00::, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fec0::/10, ",
    })
    void each_row_of_ipv6_is_what_the_registry_says(
            String prefix,
            String name,
            String source,
            Reach reach,
            String first,
            String last,
            String before,
            String after) {
        requireRow(new Row(prefix, name, source, reach), List.of(first, last), neighbours(before, after));
    }

    private record Row(String prefix, String name, String source, Reach reach) {}

    private static List<Optional<String>> neighbours(String before, String after) {
        return List.of(Optional.ofNullable(before), Optional.ofNullable(after));
    }

    private static void requireRow(Row row, List<String> edges, List<Optional<String>> neighbours) {
        var range = AddressRange.parse(row.prefix()).orElseThrow();
        var expected = new SpecialPurpose(row.name(), range, row.source(), row.reach());
        for (String edge : edges) {
            assertThat(SpecialPurpose.of(address(edge))).as(edge).contains(expected);
        }
        neighbours.getFirst().ifPresent(place -> requireNeighbour(address(edges.getFirst()), -1, place));
        neighbours.getLast().ifPresent(place -> requireNeighbour(address(edges.getLast()), 1, place));
    }

    private static void requireNeighbour(IpAddress edge, int step, String place) {
        var neighbour = stepped(edge, step);
        var found = SpecialPurpose.of(neighbour).map(row -> row.range());
        assertThat(found)
                .as(neighbour.toString())
                .isEqualTo(place.equals("public") ? Optional.empty() : AddressRange.parse(place));
    }

    private static IpAddress stepped(IpAddress address, int step) {
        var bytes = address.toByteArray();
        var sum = new BigInteger(1, bytes).add(BigInteger.valueOf(step)).toByteArray();
        var result = new byte[bytes.length];
        int length = Math.min(sum.length, result.length);
        System.arraycopy(sum, sum.length - length, result, result.length - length, length);
        return IpAddress.of(result);
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text).orElseThrow();
    }

    @Test
    void the_table_has_the_rows_of_these_tests_and_no_two_alike() {
        assertThat(SpecialPurpose.all()).hasSize(ROWS);
        assertThat(new HashSet<>(
                        SpecialPurpose.all().stream().map(SpecialPurpose::range).toList()))
                .hasSize(ROWS);
    }

    @Test
    void a_mapped_address_is_in_the_row_of_its_ipv4_address() {
        assertThat(SpecialPurpose.of(address("::ffff:127.0.0.1")))
                .hasValueSatisfying(row -> assertThat(row).hasToString("Loopback 127.0.0.0/8, RFC 1122"));
        assertThat(SpecialPurpose.of(address("::ffff:8.8.8.8"))).isEmpty();
    }

    @Test
    void ordinary_addresses_have_no_row() {
        for (String text : Arrays.asList("8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450::1")) {
            assertThat(SpecialPurpose.of(address(text))).as(text).isEmpty();
        }
    }
}
