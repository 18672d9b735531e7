package dev.cagewright.egress.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.HostName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class SyntheticAddressesTest {
    private static AddressRange range(String text) {
        return AddressRange.parse(text).orElseThrow();
    }

    @Test
    void each_name_has_one_address_that_leads_back_to_it_and_looks_public() {
        var addresses = new SyntheticAddresses();
        var one = addresses.of(new HostName("a.test")).orElseThrow();
        var other = addresses.of(new HostName("b.test")).orElseThrow();

        assertThat(one).hasToString("11.84.0.1").isNotEqualTo(other);
        assertThat(addresses.of(new HostName("A.test."))).contains(one);
        assertThat(addresses.nameOf(one)).contains(new HostName("a.test"));
        assertThat(addresses.nameOf(other)).contains(new HostName("b.test"));
        assertThat(AddressRules.PUBLIC.refusal(one)).isEmpty();
        assertThat(addresses.isOfPool(one)).isTrue();
        assertThat(addresses.isOfPool(IpAddress.parse("11.85.0.1").orElseThrow()))
                .isFalse();
        assertThat(addresses.nameOf(IpAddress.parse("11.84.0.3").orElseThrow())).isEmpty();
    }

    @Test
    void a_pool_is_filled_to_its_last_address_and_then_gives_nothing() {
        var addresses = new SyntheticAddresses(range("11.1.0.0/23"));
        var given = new HashSet<IpAddress>();
        for (int i = 0; i < 2 * 254; i++) {
            given.add(addresses.of(new HostName("n" + i + ".test")).orElseThrow());
        }

        assertThat(given)
                .hasSize(2 * 254)
                .allMatch(range("11.1.0.0/23")::contains)
                .noneMatch(address -> Set.of(0, 255).contains(address.toByteArray()[3] & 0xff));
        assertThat(addresses.of(new HostName("more.test"))).isEmpty();
        assertThat(addresses.of(new HostName("n0.test"))).isPresent();
    }

    @Test
    void a_large_pool_is_bounded_too() {
        var addresses = new SyntheticAddresses(range("11.0.0.0/8"));
        var given = new HashSet<Optional<IpAddress>>();
        for (int i = 0; i < 16_384; i++) {
            given.add(addresses.of(new HostName("n" + i + ".test")));
        }

        assertThat(given).hasSize(16_384).doesNotContain(Optional.empty());
        assertThat(addresses.of(new HostName("more.test"))).isEmpty();
    }

    @Test
    void many_threads_get_the_same_address_for_the_same_name() {
        var addresses = new SyntheticAddresses();
        var seen = ConcurrentHashMap.<IpAddress>newKeySet();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                var name = new HostName("n" + i % 10 + ".test");
                threads.execute(() -> seen.add(addresses.of(name).orElseThrow()));
            }
        }

        assertThat(seen).hasSize(10);
    }

    @Test
    void a_pool_of_another_size_or_family_is_refused() {
        for (String text : List.of("11.0.0.0/7", "11.0.0.0/25", "fd00::/16")) {
            assertThatThrownBy(() -> new SyntheticAddresses(range(text)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("pool: " + range(text) + " (expected: an IPv4 prefix of 8 to 24 bits)");
        }
    }
}
