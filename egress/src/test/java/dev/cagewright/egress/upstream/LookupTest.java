package dev.cagewright.egress.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LookupTest {
    private static final Lookup PUBLIC_NAMES =
            new Lookup(_ -> CompletableFuture.completedStage(List.of(address("93.184.216.34"))));

    private static IpAddress address(String text) {
        return IpAddress.parse(text).orElseThrow();
    }

    private static HostRule rule(HostRule.Target target, Optional<List<String>> addresses) {
        return new HostRule(
                target,
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(5432)),
                HostRule.Protocol.TCP,
                addresses,
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    @Test
    void an_alias_for_the_hosts_loopback_leads_there_and_another_name_does_not() {
        var alias = List.of(rule(new HostRule.Target.Alias("db"), Optional.empty()));

        assertThat(PUBLIC_NAMES.find(new HostName("localhost"), alias))
                .isEqualTo(Destination.Dialable.direct(List.of(address("127.0.0.1"), address("::1"))));
        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), alias))
                .isEqualTo(Destination.Dialable.direct(List.of(address("93.184.216.34"))));
        assertThat(PUBLIC_NAMES.find(new HostName("127.0.0.1"), List.of())).isInstanceOf(Destination.Forbidden.class);
    }

    @Test
    void B031_an_address_has_to_be_one_of_every_layers() {
        var target = new HostRule.Target.Host("db.test");
        var wide = rule(target, Optional.of(List.of("10.0.0.0/8")));
        var narrow = rule(target, Optional.of(List.of("10.0.0.5")));
        var other = rule(target, Optional.of(List.of("10.0.0.6")));

        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), List.of(wide, narrow)))
                .isEqualTo(Destination.Dialable.direct(List.of(address("10.0.0.5"))));
        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), List.of(narrow, other)))
                .isEqualTo(new Destination.Forbidden("10.0.0.5: not one of the rule's addresses"));
    }

    @Test
    void with_a_proxy_names_are_the_proxys_and_addresses_are_judged_all_the_same() {
        var proxy = Optional.of(Upstream.Proxy.parse("proxy", "http://127.0.0.1:3128"));
        var asked = new Destination.Dialable(List.of(address("127.0.0.1")), proxy);
        var plain = List.of(rule(new HostRule.Target.Host("db.test"), Optional.empty()));
        var led = List.of(rule(new HostRule.Target.Host("db.test"), Optional.of(List.of("10.0.0.5"))));

        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), plain, proxy)).isEqualTo(asked);
        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), led, proxy))
                .isEqualTo(Destination.Dialable.direct(List.of(address("10.0.0.5"))));
        assertThat(PUBLIC_NAMES.find(new HostName("localhost"), plain, proxy))
                .isEqualTo(Destination.Dialable.direct(List.of(address("127.0.0.1"), address("::1"))));
        assertThat(PUBLIC_NAMES.find(new HostName("93.184.216.34"), List.of(), proxy))
                .isEqualTo(asked);
        for (String closed : List.of("10.0.0.5", "169.254.169.254", "::1", "0x7f000001", "127.1")) {
            assertThat(PUBLIC_NAMES.find(new HostName(closed), List.of(), proxy))
                    .as(closed)
                    .isInstanceOf(Destination.Forbidden.class);
        }
        var nowhere = Optional.of(Upstream.Proxy.parse("proxy", "http://169.254.169.254:80"));
        assertThat(PUBLIC_NAMES.find(new HostName("db.test"), plain, nowhere))
                .isInstanceOf(Destination.Unresolved.class)
                .asString()
                .contains("the proxy http://169.254.169.254:80: ");
    }

    @Test
    void nobody_is_asked_for_the_name_of_the_desk_and_no_rule_or_alias_leads_there() {
        var asked = new ArrayList<HostName>();
        var lookup = new Lookup(name -> {
            asked.add(name);
            return CompletableFuture.completedStage(List.of(address("93.184.216.34")));
        });
        var proxy = Optional.of(Upstream.Proxy.parse("proxy", "http://127.0.0.1:3128"));
        var led = List.of(rule(new HostRule.Target.Host(PolicyDesk.NAME.value()), Optional.of(List.of("10.0.0.5"))));
        var own = new Destination.Unresolved(
                "cagewright.internal is the gateway's own name and stands for no other host");

        assertThat(lookup.find(PolicyDesk.NAME, List.of(), Optional.empty())).isEqualTo(own);
        assertThat(lookup.find(PolicyDesk.NAME, led, Optional.empty())).isEqualTo(own);
        assertThat(lookup.find(PolicyDesk.NAME, List.of(), proxy)).isEqualTo(own);
        assertThat(asked).isEmpty();
        assertThat(lookup.find(new HostName("x.cagewright.internal"), List.of(), Optional.empty()))
                .isInstanceOf(Destination.Dialable.class);
    }
}
