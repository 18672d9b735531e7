package dev.cagewright.supervisor.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.upstream.Lookup;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A registry of this machine at an address that is not public, and what its name may lead to once a run has begun.
class RegistryPlacesTest {
    private static final HostName HOST = new HostName("packages.example.test");

    private static EffectivePolicy policy(String host) throws Exception {
        var none = PolicyDocument.EMPTY;
        var net = new NetSection(
                Optional.of(NetSection.Reach.ALLOWLIST),
                Optional.of(List.of("npm")),
                Optional.empty(),
                Map.of(),
                Upstream.DIRECT);
        var document = new PolicyDocument(
                none.tool(),
                none.minIsolation(),
                none.mode(),
                none.command(),
                none.fs(),
                Optional.of(net),
                none.credentials(),
                none.exec(),
                none.approval(),
                none.resources(),
                none.inspect(),
                none.capture(),
                Optional.empty(),
                none.mcp(),
                none.origins());
        var known = new Registry.Known(List.of(new Registry.Host(host, 443, "npmrc")));
        return EffectivePolicy.of(List.of(new Layer(Layer.Rank.USER, document)), Map.of("npm", known));
    }

    private static List<IpAddress> addresses(String texts) {
        return Stream.of(texts.split(" ", -1))
                .map(text -> IpAddress.parse(text).orElseThrow())
                .toList();
    }

    /// What the run's rule says of `then` when the name led to `first` as the run began.
    private static Destination afterwards(String first, String then) throws Exception {
        var policy = policy(HOST.value());
        var places = RegistryPlaces.lookedUp(
                policy.registryHosts(), _ -> CompletableFuture.completedStage(addresses(first)));
        List<HostRule> rules = policy.hostRules(HOST, 443).stream()
                .map(each -> places.narrowed(HOST, each))
                .toList();
        assertThat(rules).hasSize(1);
        return new Lookup(_ -> CompletableFuture.completedStage(addresses(then))).find(HOST, rules);
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.80, 203.0.113.80",
        "10.1.2.3, 10.1.2.250",
        "fd12:3456::1, fd12:3456::ffff",
        "10.1.2.3 10.1.9.3, 10.1.9.4",
        "1.1.1.1, 8.8.8.8",
        "1.1.1.1 2606:4700::1111, 2606:4700::1001"
    })
    void it_may_lead_to_where_it_led_and_beside_it(String first, String then) throws Exception {
        assertThat(afterwards(first, then)).isInstanceOf(Destination.Dialable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.3.3",
                "192.168.1.1",
                "8.8.8.8",
                "127.0.0.1",
                "::1",
                "169.254.169.254",
                "fd00:ec2::254",
                "64:ff9b::a01:203",
                "64:ff9b::7f00:1",
                "2002:a01:203::1",
                "fd12::1",
                "10.1.2.3 10.1.3.3",
                "10.1.2.3 ::1"
            })
    void it_may_not_lead_elsewhere(String then) throws Exception {
        assertThat(afterwards("10.1.2.3", then)).isInstanceOf(Destination.Forbidden.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "127.0.0.1", "192.168.0.1", "fd12::1", "203.0.113.80", "64:ff9b::a01:203"})
    void one_that_led_to_the_public_may_not_lead_inside_later(String then) throws Exception {
        assertThat(afterwards("1.1.1.1", then)).isInstanceOf(Destination.Forbidden.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "::1",
                "0.0.0.0",
                "169.254.169.254",
                "fe80::1",
                "64:ff9b::a01:203",
                "64:ff9b:1::1",
                "2002:a01:203::1",
                "2001:0:1::1",
                "::10.1.2.3",
                "fd12::5efe:a9fe:a9fe"
            })
    void a_name_that_leads_to_what_nobody_means_is_not_opened_by_it(String first) throws Exception {
        assertThat(afterwards(first, first)).isInstanceOf(Destination.Forbidden.class);
    }

    @Test
    void what_nobody_answers_for_has_public_addresses_only() throws Exception {
        var policy = policy(HOST.value());
        var places = RegistryPlaces.lookedUp(
                policy.registryHosts(), _ -> CompletableFuture.failedStage(new IllegalStateException("no server")));
        var rule = places.narrowed(HOST, policy.hostRules(HOST, 443).getFirst());
        assertThat(rule.addresses()).isEmpty();
        assertThat(AddressRules.of(rule, HOST).refusal(addresses("10.1.2.3").getFirst()))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "10.1.2.3", "fd12::1"})
    void what_is_an_address_or_the_machine_itself_is_not_looked_up(String host) throws Exception {
        var asked = new CopyOnWriteArrayList<HostName>();
        RegistryPlaces.lookedUp(policy(host).registryHosts(), name -> {
            asked.add(name);
            return CompletableFuture.completedStage(List.of());
        });
        assertThat(asked).isEmpty();
    }
}
