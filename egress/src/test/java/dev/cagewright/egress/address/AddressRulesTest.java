package dev.cagewright.egress.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    private static HostRule rule(String host, Optional<List<String>> addresses) {
        return new HostRule(
                new HostRule.Target.Host(host),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(5432)),
                HostRule.Protocol.TCP,
                addresses,
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text).orElseThrow();
    }

    private static List<SpecialPurpose> rows() {
        return SpecialPurpose.all();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "1.1.1.1",
                "::ffff:93.184.216.34",
                "2606:4700:4700::1111",
                "64:ff9b::8.8.8.8",
                "2a00:1450:4001:82a::200e"
            })
    void a_public_address_may_be_dialled(String text) {
        assertThat(AddressRules.PUBLIC.refusal(address(text))).isEmpty();
        assertThat(AddressRules.of(HostRule.ofHost("*.example.com")).refusal(address(text)))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void no_special_purpose_address_may_be_dialled_unless_a_rule_names_it(SpecialPurpose row) {
        var first = row.range().base();
        assertThat(AddressRules.PUBLIC.refusal(first))
                .hasValueSatisfying(why -> assertThat(why).startsWith(first + ": "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1|127.0.0.1: not a public address (Loopback 127.0.0.0/8, RFC 1122)",
                "::ffff:7f00:1|127.0.0.1: not a public address (Loopback 127.0.0.0/8, RFC 1122)",
                "192.0.0.9|192.0.0.9: not a public address (Port Control Protocol Anycast 192.0.0.9, RFC 7723)",
                "4000::1|4000::1: not a public address (outside 2000::/3, the IPv6 space that is given out)",
                "64:ff9b::10.0.0.1|64:ff9b::a00:1: not a public address (carries 10.0.0.1, Private-Use 10.0.0.0/8, RFC 1918)",
                "2a00::5efe:10.0.0.1|2a00::5efe:a00:1: not a public address (carries 10.0.0.1, Private-Use 10.0.0.0/8, RFC 1918)",
                "2a00::200:5efe:192.168.0.1|2a00::200:5efe:c0a8:1: not a public address (carries 192.168.0.1, Private-Use 192.168.0.0/16, RFC 1918)",
                "2002:808:808::1|2002:808:808::1: not a public address (6to4 2002::/16, RFC 3056)",
            })
    void a_refusal_names_the_address_and_the_reason(String text, String refusal) {
        assertThat(AddressRules.PUBLIC.refusal(address(text))).contains(refusal);
    }

    @Test
    void B062_the_unspecified_address_is_refused_whoever_names_it() {
        for (String text : List.of("0.0.0.0", "::", "0.1.2.3")) {
            assertThat(AddressRules.PUBLIC.refusal(address(text))).contains(text + ": no single host has this address");
            assertThat(AddressRules.only(List.of("0.0.0.0/0", "::/0")).refusal(address(text)))
                    .contains(text + ": no single host has this address");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "169.254.170.23",
                "169.254.0.1",
                "::ffff:169.254.169.254",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "fd00:ec2::254",
                "fd00:ec2::23",
                "fd20:ce::254",
                "fd00:c1::a9fe:a9fe",
                "fd00:42::42",
                "fe80::1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::169.254.169.254",
                "64:ff9b:1:a9fe:a9:fe00::",
                "64:ff9b:1:a9:fe:a9fe::",
                "64:ff9b:1::a9:fea9:fe00:0",
                "2002:a9fe:a9fe::1",
                "2001:0:a9fe:a9fe::1",
                "2001::5601:5601",
                "::169.254.169.254",
                "::ffff:0:169.254.169.254",
                "fd12::5efe:169.254.169.254",
                "224.0.0.1",
                "ff02::1",
                "255.255.255.255",
            })
    void no_rule_opens_metadata_link_local_or_multicast_addresses(String text) {
        var everything = AddressRules.only(List.of("0.0.0.0/0", "::/0"));

        assertThat(everything.refusal(address(text))).isPresent();
        assertThat(AddressRules.PUBLIC.refusal(address(text))).isPresent();
        assertThat(everything.refusal(address("10.0.0.1"))).isEmpty();
        assertThat(everything.refusal(address("64:ff9b:1::10.0.0.1"))).isEmpty();
    }

    @Test
    void a_rule_with_addresses_opens_those_and_nothing_else() {
        var rules = AddressRules.of(rule("db.internal", Optional.of(List.of("10.0.0.5", "fd12:3::/32"))));

        assertThat(rules.refusal(address("10.0.0.5"))).isEmpty();
        assertThat(rules.refusal(address("::ffff:10.0.0.5"))).isEmpty();
        assertThat(rules.refusal(address("fd12:3::9"))).isEmpty();
        assertThat(rules.refusal(address("10.0.0.6"))).contains("10.0.0.6: not one of the rule's addresses");
        assertThat(rules.refusal(address("8.8.8.8"))).contains("8.8.8.8: not one of the rule's addresses");
        assertThat(rules.fixed()).isEmpty();
    }

    @Test
    void single_addresses_are_dialled_without_asking_and_ranges_are_not() {
        assertThat(AddressRules.only(List.of("10.0.0.5", "::ffff:10.0.0.6", "10.0.0.7/32"))
                        .fixed())
                .contains(List.of(address("10.0.0.5"), address("10.0.0.6"), address("10.0.0.7")));
        assertThat(AddressRules.only(List.of("10.0.0.0/31")).fixed()).isEmpty();
        assertThat(AddressRules.PUBLIC.fixed()).isEmpty();
    }

    @Test
    void an_empty_or_unreadable_list_opens_nothing() {
        for (var list : List.of(List.<String>of(), List.of("fd00:zz::1"), List.of("localhost"))) {
            var rules = AddressRules.of(rule("db.internal", Optional.of(list)));
            assertThat(rules.refusal(address("8.8.8.8"))).contains("8.8.8.8: not one of the rule's addresses");
            assertThat(rules.fixed()).isEmpty();
        }
    }

    @Test
    void a_rule_for_an_address_opens_it_and_a_rule_for_localhost_the_hosts_own() {
        assertThat(AddressRules.of(rule("10.0.0.5", Optional.empty())).fixed()).contains(List.of(address("10.0.0.5")));
        assertThat(AddressRules.of(rule("localhost", Optional.empty())).fixed())
                .contains(List.of(address("127.0.0.1"), address("::1")));
        assertThat(AddressRules.of(rule("localhost.example.com", Optional.empty()))
                        .refusal(address("127.0.0.1")))
                .isPresent();
    }

    @Test
    void an_alias_opens_what_it_stands_for() {
        var rule = new HostRule(
                new HostRule.Target.Alias("db"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(5432)),
                HostRule.Protocol.TCP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);

        assertThat(AddressRules.of(rule, new HostName("localhost")).fixed())
                .contains(List.of(address("127.0.0.1"), address("::1")));
        assertThat(AddressRules.of(rule, new HostName("10.0.0.5")).fixed()).contains(List.of(address("10.0.0.5")));
        assertThat(AddressRules.of(rule, new HostName("db.example.com")).refusal(address("10.0.0.5")))
                .isPresent();
        assertThat(AddressRules.of(rule, new HostName("169.254.169.254")).refusal(address("169.254.169.254")))
                .isPresent();
    }

    @Test
    void what_the_owner_chose_may_be_anywhere_but_where_nobody_may_go() {
        assertThat(AddressRules.ANYWHERE.refusal(address("10.0.0.5"))).isEmpty();
        assertThat(AddressRules.ANYWHERE.refusal(address("fd12::1"))).isEmpty();
        assertThat(AddressRules.ANYWHERE.refusal(address("169.254.169.254"))).isPresent();
        assertThat(AddressRules.ANYWHERE.fixed()).isEmpty();
    }
}
