package dev.cagewright.egress.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.resolve.UpstreamServer.Manner;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {
    @TempDir
    private Path folder;

    private static Destination of(Destinations destinations, String host, AddressRules rules) {
        return destinations
                .of(new HostName(host), rules)
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    private Destination resolved(UpstreamServer server, AddressRules rules) {
        try (var resolver = HostResolver.asking(List.of(server.address()), folder.resolve("hosts"))) {
            return of(new Destinations(resolver), "a.test", rules);
        }
    }

    private static Destination.Dialable dialable(String... addresses) {
        return Destination.Dialable.direct(List.of(addresses).stream()
                .map(text -> IpAddress.parse(text).orElseThrow())
                .toList());
    }

    @Test
    void a_name_with_public_addresses_may_be_dialled_at_all_of_them() throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS)
                .with("a.test. 60 IN A 93.184.216.34", "a.test. 60 IN AAAA 2606:2800:220:1::1")) {
            assertThat(resolved(server, AddressRules.PUBLIC))
                    .isEqualTo(dialable("93.184.216.34", "2606:2800:220:1::1"));
        }
    }

    @Test
    void B060_a_name_with_one_forbidden_address_is_refused_in_whichever_family_or_order_it_comes() throws IOException {
        var rules = AddressRules.only(List.of("127.0.1.1"));
        var refusal = new Destination.Forbidden("127.0.0.9: not one of the rule's addresses");
        var public4 = "a.test. 60 IN A 93.184.216.34";
        try (var mapped = new UpstreamServer(Manner.ANSWERS)
                        .with("a.test. 60 IN A 127.0.1.1", "a.test. 60 IN AAAA ::ffff:127.0.0.9");
                var first = new UpstreamServer(Manner.ANSWERS).with("a.test. 60 IN A 10.0.0.1", public4);
                var last = new UpstreamServer(Manner.ANSWERS).with(public4, "a.test. 60 IN A 10.0.0.1");
                var good = new UpstreamServer(Manner.ANSWERS).with("a.test. 60 IN A 127.0.1.1")) {
            assertThat(resolved(mapped, AddressRules.only(List.of("127.0.1.0/24"))))
                    .isEqualTo(refusal);
            assertThat(resolved(first, AddressRules.PUBLIC))
                    .isEqualTo(new Destination.Forbidden(
                            "10.0.0.1: not a public address (Private-Use 10.0.0.0/8, RFC 1918)"));
            assertThat(resolved(last, AddressRules.PUBLIC)).isEqualTo(resolved(first, AddressRules.PUBLIC));
            assertThat(resolved(good, rules)).isEqualTo(dialable("127.0.1.1"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A 0.0.0.0",
                "A 127.0.0.1",
                "A 169.254.169.254",
                "A 100.100.100.200",
                "AAAA ::",
                "AAAA ::1",
                "AAAA fd00:ec2::254",
                "AAAA ::ffff:127.0.0.1",
                "AAAA 64:ff9b::7f00:1",
                "AAAA 2002:7f00:1::",
            })
    void B062_B049_an_answer_that_leads_inside_is_refused(String record) throws IOException {
        try (var server = new UpstreamServer(Manner.ANSWERS).with("a.test. 60 IN " + record)) {
            assertThat(resolved(server, AddressRules.PUBLIC)).isInstanceOf(Destination.Forbidden.class);
        }
    }

    @Test
    void where_a_rule_names_addresses_those_are_dialled_and_nobody_is_asked() throws IOException {
        var asked = new AtomicInteger();
        var destinations = new Destinations(name -> {
            asked.incrementAndGet();
            return CompletableFuture.completedStage(List.of());
        });

        assertThat(of(destinations, "db.test", AddressRules.only(List.of("10.0.0.5", "10.0.0.6"))))
                .isEqualTo(dialable("10.0.0.5", "10.0.0.6"));
        assertThat(of(destinations, "localhost", AddressRules.of(HostRule.ofHost("localhost"))))
                .isEqualTo(dialable("127.0.0.1", "::1"));
        assertThat(asked).hasValue(0);

        assertThat(of(destinations, "db.test", AddressRules.only(List.of("10.0.0.0/8"))))
                .isEqualTo(new Destination.Unresolved("no address"));
        assertThat(asked).hasValue(1);
    }

    @Test
    void addresses_that_no_rule_opens_are_refused_although_a_rule_names_them() throws IOException {
        assertThat(of(
                        new Destinations(_ -> CompletableFuture.completedStage(List.of())),
                        "db.test",
                        AddressRules.only(List.of("10.0.0.5", "169.254.169.254"))))
                .isEqualTo(new Destination.Forbidden(
                        "169.254.169.254: cloud metadata and link-local addresses are never reachable"));
    }

    @Test
    void B064_an_address_is_itself_and_needs_a_rule_of_its_own_to_be_one_inside() throws IOException {
        var destinations = new Destinations(_ -> CompletableFuture.completedStage(List.of()));

        assertThat(of(destinations, "93.184.216.34", AddressRules.PUBLIC)).isEqualTo(dialable("93.184.216.34"));
        assertThat(of(destinations, "127.0.1.77", AddressRules.PUBLIC))
                .isEqualTo(
                        new Destination.Forbidden("127.0.1.77: not a public address (Loopback 127.0.0.0/8, RFC 1122)"));
        assertThat(of(destinations, "127.0.1.77", AddressRules.of(HostRule.ofHost("127.0.1.77"))))
                .isEqualTo(dialable("127.0.1.77"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.1", "0x7f000001", "2130706433", "0177.0.0.1", "1:2"})
    void B051_no_library_guesses_what_a_number_means(String host) throws IOException {
        assertThat(of(
                        new Destinations(_ -> {
                            throw new AssertionError("asked");
                        }),
                        host,
                        AddressRules.PUBLIC))
                .isEqualTo(
                        new Destination.Forbidden(host + ": a spelling of an address that programs read differently"));
    }

    @Test
    void a_failure_is_an_answer_with_its_reason() throws IOException {
        var broken = new Destinations(_ -> CompletableFuture.failedStage(new IllegalStateException("closed")));

        assertThat(of(broken, "a.test", AddressRules.PUBLIC))
                .isEqualTo(new Destination.Unresolved("a.test: java.lang.IllegalStateException: closed"));
        try (var server = new UpstreamServer(Manner.ANSWERS)) {
            assertThat(resolved(server, AddressRules.PUBLIC))
                    .isEqualTo(new Destination.Unresolved("a.test: the name servers know no address"));
        }
    }
}
