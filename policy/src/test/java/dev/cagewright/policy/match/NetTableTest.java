package dev.cagewright.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetTableTest {

    @ParameterizedTest
    @CsvSource({
        "*.example.com,a.example.com",
        "*.example.com,a.b.example.com",
        "example.com,EXAMPLE.com.",
        "10.0.0.5,10.0.0.5",
        "2001:DB8:0::1,2001:db8::1",
        "0:0:0:0:0:0:0:1,::1",
        "1:0:0:2:0:0:0:3,1:0:0:2::3",
        "1:2:0:4:5:6:7:8,1:2:0:4:5:6:7:8",
        "::ffff:10.0.0.5,10.0.0.5",
        "::FFFF:a00:5,10.0.0.5",
        "64:ff9b::10.0.0.5,64:ff9b::a00:5"
    })
    void a_pattern_means_a_host(String pattern, String host) {
        assertThat(HostPattern.parse("host", pattern).matches(new HostName(host)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*.example.com,example.com",
        "*.example.com,xexample.com",
        "*.example.com,a.example.com.evil.test",
        "example.com,a.example.com",
        "example.com,example.com.evil.test"
    })
    void a_pattern_does_not_mean_a_host(String pattern, String host) {
        assertThat(HostPattern.parse("host", pattern).matches(new HostName(host)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "*.",
                "a.*.b",
                "*a.test",
                "**.a.test",
                "*.1.2",
                "0x7f.1",
                "127.1",
                "010.0.0.1",
                "1.2.3.4.5",
                "https://x.test",
                "x.test/y",
                "x.test:443",
                "x..test",
                "x.test\n",
                "b\u00fccher.test",
                "1::2::3",
                ":::"
            })
    void B277_an_odd_host_is_refused_with_what_is_accepted(String text) {
        assertThatThrownBy(() -> HostPattern.parse("net.hosts[0].host", text))
                .hasMessageStartingWith("net.hosts[0].host: \"")
                .hasMessageContaining("(expected: ")
                .hasMessageEndingWith(
                        "a host name such as api.example.com, an IP address, or *.example.com with nothing else)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://a.test|host: a.test; or a host",
                "a.test/path|host: a.test, paths: [\"/path\"]; or a host",
                "a.test:8443|host: a.test, port: 8443; or a host",
                "' a.test'|host: a.test; or a host",
                "https://*.a.test:8443/v1/**|host: *.a.test, port: 8443, paths: [\"/v1/**\"]; or a host",
                "https://a..test|a host",
                "a.test:0443|a host",
                "user@a.test|a host",
            })
    void B029_an_entry_that_is_no_host_is_refused_with_the_keys_that_say_what_it_means(String text, String expected) {
        assertThatThrownBy(() -> HostPattern.parse("net.hosts[0].host", text))
                .hasMessage("net.hosts[0].host: \"" + text + "\" (expected: " + expected
                        + " name such as api.example.com, an IP address, or *.example.com with nothing else)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "**", "*.", "*.*.test", "*.*", "**.test", "a.*.test", "*a.test", "*.10.0.0.1", "*.::1"})
    void B030_a_wildcard_that_means_everything_or_nothing_is_refused(String text) {
        assertThatThrownBy(() -> HostPattern.parse("net.hosts[0].host", text))
                .hasMessageStartingWith("net.hosts[0].host: \"" + text + "\" (expected: a host name");
    }

    @Test
    void B030_a_wildcard_below_a_top_level_name_means_what_it_says() {
        var pattern = HostPattern.parse("net.hosts[0].host", "*.test");

        assertThat(pattern.matches(new HostName("a.test"))).isTrue();
        assertThat(pattern.matches(new HostName("test"))).isFalse();
        assertThat(pattern.matches(new HostName("atest"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.3.4,16909060",
        "0x7f.1,2130706433",
        "017700000001,2130706433",
        "2852039166,2852039166",
        "169.254.43518,2852039166",
        "0xa9fea9fe,2852039166",
        "1.2.3,16908291"
    })
    void addresses_are_read_as_resolvers_do(String text, long address) {
        assertThat(IpText.ipv4(text)).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fd00:zz::1", "::\u0661", "\u0661.2.3.4", "\uff11.2.3.4", "1:2:3:4:5:6:7:x", "::1.2.3.\u0664"})
    void B051_digits_of_other_alphabets_and_other_letters_are_no_address(String text) {
        assertThat(IpText.isCanonical(text)).isFalse();
        assertThat(IpText.looksNumeric(text) && IpText.ipv4(text) >= 0).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "1.2.3.4.5", "256.1.1.1", "1.2.3.256", "4294967296", "1..2", "08", "0x", "x", "1.2.3.4."
            })
    void other_texts_are_no_addresses(String text) {
        boolean isZero = text.equals("0x");
        assertThat(IpText.ipv4(text)).isEqualTo(isZero ? 0 : IpText.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "::,0,0",
        "::1,7,1",
        "fe80::a9fe:a9fe,0,65152",
        "fe80::a9fe:a9fe,7,43518",
        "::ffff:169.254.169.254,6,43518",
        "::ffff:169.254.169.254,5,65535",
        "1:2:3:4:5:6:7:8,3,4",
        "1::,0,1",
        "1::8,6,0",
        "::ffff:169.254.169.254,7,43518"
    })
    void groups_of_ipv6_addresses(String text, int group, int value) {
        assertThat(IpText.ipv6Group(text, group)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1:2:3", "1:2:3:4:5:6:7:8:9", "::1::", "12345::", ":1", "1:", "1.2.3.4::", "::1.2.3", ":::"})
    void other_texts_are_no_ipv6_addresses(String text) {
        assertThat(IpText.ipv6Group(text, 0)).isEqualTo(-1);
    }

    record Rule(String host, List<String> methods, List<String> paths, List<Integer> ports) {
        NetEntry entry() {
            return new NetEntry(
                    Optional.of(List.of(HostPattern.parse("h", host))),
                    methods.isEmpty() ? Optional.empty() : Optional.of(Set.copyOf(methods)),
                    paths.isEmpty()
                            ? Optional.empty()
                            : Optional.of(paths.stream()
                                    .map(p -> PathPattern.parse("p", p))
                                    .toList()),
                    Optional.of(Set.copyOf(ports)));
        }

        /// How specific its host is: an exact name above every wildcard, a longer wildcard above a shorter one.
        int rank() {
            return host.startsWith("*") ? host.length() : Integer.MAX_VALUE;
        }

        boolean allows(Request request) {
            return HostPattern.parse("h", host).matches(new HostName(request.host()))
                    && (methods.isEmpty() || methods.contains(request.method()))
                    && (paths.isEmpty()
                            || paths.stream()
                                    .anyMatch(p -> PathPattern.parse("p", p).matches(request.path())))
                    && ports.contains(request.port());
        }
    }

    record Request(String host, String method, String path, int port) {}

    record Sample(List<Rule> rules, Request request) {
        List<Sample> smaller() {
            var all = new ArrayList<Sample>();
            for (int i = 0; i < rules.size(); i++) {
                var fewer = new ArrayList<>(rules);
                fewer.remove(i);
                all.add(new Sample(fewer, request));
            }
            return all;
        }
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static Sample draw(Random random) {
        var hosts = List.of("a.test", "b.a.test", "c.b.a.test", "*.a.test", "*.test", "*.b.a.test", "x.test");
        var methods = List.of(List.<String>of(), List.of("GET"), List.of("GET", "POST"), List.of("PURGE"));
        var paths = List.of(
                List.<String>of(),
                List.of("/a"),
                List.of("/a/**", "/b"),
                List.of("/*"),
                List.of("/**/c"),
                List.of("/*/c"),
                List.of("/a/c", "/b*"),
                List.of("/**"));
        var ports = List.of(List.of(443), List.of(80, 443), List.of(8080));
        var rules = Stream.generate(() ->
                        new Rule(one(random, hosts), one(random, methods), one(random, paths), one(random, ports)))
                .limit(random.nextInt(8))
                .toList();
        var request = new Request(
                one(random, List.of("a.test", "b.a.test", "c.b.a.test", "d.c.b.a.test", "x.test", "test", "y.test")),
                one(random, List.of("GET", "POST", "PURGE", "BREW")),
                one(random, List.of("/", "/a", "/a/c", "/b", "/b/c", "/bb", "/a/d/c")),
                one(random, List.of(80, 443, 8080)));
        return new Sample(rules, request);
    }

    @Test
    void a_table_finds_the_most_specific_rule_that_lets_it_through() {
        new Property<>(NetTableTest::draw, Sample::smaller).holds(30_000, sample -> {
            var table = NetTable.of(sample.rules().stream().map(Rule::entry).toList());
            var request = sample.request();
            int found =
                    table.findRequest(new HostName(request.host()), request.port(), request.method(), request.path());
            assertThat(found).isEqualTo(mostSpecific(sample.rules(), request));
        });
    }

    private static int mostSpecific(List<Rule> rules, Request request) {
        int best = NetTable.NONE;
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).allows(request)
                    && (best == NetTable.NONE
                            || rules.get(i).rank() > rules.get(best).rank())) {
                best = i;
            }
        }
        return best;
    }

    @Test
    void names_with_the_same_hash_are_told_apart() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        var table = NetTable.of(Stream.of("/x/Aa", "/x/BB/**", "/AaAa", "/BBBB")
                .map(path -> new Rule("a.test", List.of(), List.of(path), List.of(443)).entry())
                .toList());
        for (var path : List.of("/x/Aa", "/x/BB/c", "/AaAa", "/BBBB")) {
            assertThat(table.findRequest(new HostName("a.test"), 443, "GET", path))
                    .as(path)
                    .isEqualTo(List.of("/x/Aa", "/x/BB/c", "/AaAa", "/BBBB").indexOf(path));
        }
        assertThat(table.findRequest(new HostName("a.test"), 443, "GET", "/AaBB"))
                .isEqualTo(NetTable.NONE);
        assertThat(table.findRequest(new HostName("a.test"), 443, "GET", "/x/Aa/c"))
                .isEqualTo(NetTable.NONE);
    }

    @Test
    void the_most_specific_host_wins_and_then_the_first() {
        var rules = List.of(
                new Rule("*.test", List.of(), List.of(), List.of(443)),
                new Rule("*.a.test", List.of(), List.of(), List.of(443)),
                new Rule("b.a.test", List.of("GET"), List.of(), List.of(443)),
                new Rule("b.a.test", List.of(), List.of(), List.of(443)));
        var table = NetTable.of(rules.stream().map(Rule::entry).toList());
        assertThat(table.findRequest(new HostName("b.a.test"), 443, "GET", "/")).isEqualTo(2);
        assertThat(table.findRequest(new HostName("b.a.test"), 443, "PUT", "/")).isEqualTo(3);
        assertThat(table.findRequest(new HostName("c.a.test"), 443, "PUT", "/")).isEqualTo(1);
        assertThat(table.findConnection(new HostName("x.test"), 443)).isZero();
        assertThat(table.findConnection(new HostName("x.test"), 80)).isEqualTo(NetTable.NONE);
        assertThat(table.findHost(new HostName("test"))).isEqualTo(NetTable.NONE);
    }

    @Test
    void an_empty_list_grants_nothing() {
        var host = Optional.of(List.of(HostPattern.parse("h", "a.test")));
        var table = NetTable.of(List.of(
                new NetEntry(host, Optional.of(Set.of()), Optional.empty(), Optional.empty()),
                new NetEntry(host, Optional.empty(), Optional.of(List.of()), Optional.empty()),
                new NetEntry(host, Optional.empty(), Optional.empty(), Optional.of(Set.of()))));
        assertThat(table.findRequest(new HostName("a.test"), 443, "GET", "/")).isEqualTo(NetTable.NONE);
        assertThat(table.findConnection(new HostName("a.test"), 443)).isEqualTo(NetTable.NONE);
        assertThat(table.findHost(new HostName("a.test"))).isZero();
    }
}
