package dev.cagewright.egress.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.math.BigInteger;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CageAuthorityTest {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final HostName NAME = new HostName("a.test");

    private final TickingClock clock = new TickingClock();
    private final CageAuthority authority = CageAuthority.create("c-1", clock);

    @Test
    void B066_the_authority_has_each_part_that_rfc_5280_asks_of_one() {
        var certificate = authority.certificate();

        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).as("pathlen").isZero();
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(usages(certificate)).containsExactly(5);
        assertThat(certificate.getExtensionValue("2.5.29.14")).isNotNull();
        assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
        assertThat(certificate.getSubjectX500Principal()).isEqualTo(certificate.getIssuerX500Principal());
    }

    @Test
    void B066_a_leaf_has_each_part_that_rfc_5280_asks_of_a_server() throws Exception {
        var leaf = authority.leafFor(NAME).certificate();

        assertThat(leaf.getBasicConstraints()).as("not an authority").isEqualTo(-1);
        assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(DNS_NAME, "a.test"));
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(usages(leaf)).containsExactly(0);
        assertThat(leaf.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.19", "2.5.29.15");
        assertThat(leaf.getExtensionValue("2.5.29.14")).isNotNull();
        assertThat(keyIdentifier(leaf.getExtensionValue("2.5.29.35")))
                .isEqualTo(keyIdentifier(authority.certificate().getExtensionValue("2.5.29.14")));
    }

    @Test
    void keys_are_on_P_256_and_every_leaf_of_a_cage_has_one() {
        var one = authority.leafFor(NAME);
        var other = authority.leafFor(new HostName("b.test"));

        assertThat(one.key()).isSameAs(other.key()).isInstanceOf(ECPrivateKey.class);
        assertThat(one.certificate().getPublicKey())
                .isEqualTo(other.certificate().getPublicKey());
        assertThat(((ECPublicKey) one.certificate().getPublicKey())
                        .getParams()
                        .getOrder()
                        .bitLength())
                .isEqualTo(256);
        assertThat(authority.certificate().getPublicKey())
                .isNotEqualTo(one.certificate().getPublicKey());
    }

    @Test
    void an_address_is_an_address_in_the_certificate_and_not_a_name() throws Exception {
        var v4 = authority.leafFor(IpAddress.of(new byte[] {(byte) 192, 0, 2, 7}));
        var mapped =
                authority.leafFor(IpAddress.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 192, 0, 2, 7}));
        var v6 = authority.leafFor(
                IpAddress.of(new byte[] {0x20, 1, 0x0d, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));

        assertThat(v4.certificate().getSubjectAlternativeNames()).containsExactly(List.of(IP_ADDRESS, "192.0.2.7"));
        assertThat(mapped).isSameAs(v4);
        assertThat(v6.certificate().getSubjectAlternativeNames())
                .containsExactly(List.of(IP_ADDRESS, "2001:db8:0:0:0:0:0:1"));
    }

    @Test
    void an_address_as_text_is_no_name() {
        assertThatThrownBy(() -> authority.leafFor(new HostName("192.0.2.7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: 192.0.2.7 (expected: a name, not an address)");
        assertThatThrownBy(() -> authority.leafFor(new HostName("2001:db8::1")))
                .hasMessage("name: 2001:db8::1 (expected: a name, not an address)");
        assertThat(authority.leafFor(new HostName("1a.2.3.4")).chain()).hasSize(1);
    }

    @Test
    void a_leaf_is_for_its_name_alone() throws Exception {
        var leaf = authority.leafFor(new HostName("deep.a.test")).certificate();

        assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(DNS_NAME, "deep.a.test"));
        assertThatThrownBy(() -> new HostName("*.a.test")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_name_longer_than_a_common_name_can_be_stands_in_the_alternative_name() throws Exception {
        var longest = "x".repeat(63) + "." + "y".repeat(63) + "." + "z".repeat(63) + "." + "w".repeat(61);
        var leaf = authority.leafFor(new HostName(longest)).certificate();

        assertThat(leaf.getSubjectAlternativeNames()).containsExactly(List.of(DNS_NAME, longest));
        assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("O=Cagewright");
    }

    @Test
    void serials_are_positive_and_never_the_same() {
        var serials = new HashSet<BigInteger>();
        for (int i = 0; i < 200; i++) {
            serials.add(authority
                    .leafFor(new HostName("h" + i + ".test"))
                    .certificate()
                    .getSerialNumber());
        }

        assertThat(serials).hasSize(200).allSatisfy(serial -> {
            assertThat(serial).isPositive();
            assertThat(serial.bitLength()).isLessThanOrEqualTo(127);
        });
        assertThat(serials.stream().mapToInt(BigInteger::bitLength).max().orElseThrow())
                .isGreaterThan(110);
    }

    @Test
    void B068_a_leaf_is_short_lived_and_begins_before_now() {
        var leaf = authority.leafFor(NAME).certificate();
        var begin = leaf.getNotBefore().toInstant();
        var end = leaf.getNotAfter().toInstant();

        assertThat(begin).isBefore(clock.instant().minus(Duration.ofMinutes(10)));
        assertThat(end).isAfter(clock.instant().plus(Duration.ofHours(25)));
        assertThat(Duration.between(begin, end)).isLessThan(Duration.ofDays(10));
        assertThat(authority.certificate().getNotBefore().toInstant()).isBefore(begin);
        assertThat(authority.certificate().getNotAfter().toInstant()).isAfter(end);
    }

    @Test
    void B068_a_leaf_is_renewed_in_a_running_cage_before_half_of_its_life_is_over() {
        var first = authority.leafFor(NAME);
        clock.move(Duration.ofDays(2));
        assertThat(authority.leafFor(NAME)).isSameAs(first);

        clock.move(halfLifeOf(first).minus(Duration.ofDays(2)).minusSeconds(1));
        var second = authority.leafFor(NAME);

        assertThat(second).isNotSameAs(first);
        assertThat(second.certificate().getNotAfter())
                .isAfter(first.certificate().getNotAfter());
        assertThat(second.certificate().getSerialNumber())
                .isNotEqualTo(first.certificate().getSerialNumber());
    }

    @Test
    void a_leaf_of_a_clock_that_was_set_back_is_made_anew() {
        var first = authority.leafFor(NAME);
        clock.move(Duration.ofHours(-5));

        assertThat(authority.readyLeaf(NAME)).isEmpty();
        assertThat(authority.leafFor(NAME).certificate().getNotBefore())
                .isBefore(first.certificate().getNotBefore());
    }

    @Test
    void a_leaf_never_outlives_its_authority_and_none_is_made_after_it() {
        var end = authority.certificate().getNotAfter().toInstant();
        clock.move(Duration.between(clock.instant(), end.minus(Duration.ofDays(1))));
        assertThat(authority.leafFor(NAME).certificate().getNotAfter().toInstant())
                .isEqualTo(end);

        clock.move(Duration.ofDays(2));
        assertThatThrownBy(() -> authority.leafFor(new HostName("late.test")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("authority: ended " + end + "; a new cage has a new one");
    }

    @Test
    void a_leaf_is_ready_only_after_it_was_made() {
        assertThat(authority.readyLeaf(NAME)).isEmpty();
        var leaf = authority.leafFor(NAME);

        assertThat(authority.readyLeaf(NAME)).containsSame(leaf);
        assertThat(authority.readyLeaf(new HostName("b.test"))).isEmpty();
    }

    @Test
    void leaves_kept_are_bounded_and_the_one_in_use_stays() {
        var used = authority.leafFor(NAME);
        for (int i = 0; i < 1_100; i++) {
            authority.leafFor(new HostName("h" + i + ".test"));
            assertThat(authority.leafFor(NAME)).isSameAs(used);
        }

        assertThat(authority.leaves()).isEqualTo(1_024);
        assertThat(authority.readyLeaf(new HostName("h0.test"))).isEmpty();
        assertThat(authority.readyLeaf(new HostName("h1099.test"))).isPresent();
    }

    @Test
    void sixty_four_at_once_get_one_leaf() throws ExecutionException, InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asked = Stream.generate(() -> (Callable<Leaf>) () -> authority.leafFor(NAME))
                    .limit(64)
                    .toList();
            var leaves = new HashSet<Leaf>();
            for (var answer : threads.invokeAll(asked)) {
                leaves.add(answer.get());
            }
            assertThat(leaves).hasSize(1);
        }
    }

    @Test
    void each_cage_has_its_own_authority() throws Exception {
        var other = CageAuthority.create("c-1");
        var leaf = other.leafFor(NAME).certificate();

        assertThat(other.certificate().getPublicKey())
                .isNotEqualTo(authority.certificate().getPublicKey());
        leaf.verify(other.certificate().getPublicKey());
        assertThatThrownBy(() -> leaf.verify(authority.certificate().getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void no_text_form_shows_a_key() {
        var leaf = authority.leafFor(NAME);
        var number = ((ECPrivateKey) leaf.key()).getS();

        assertThat(leaf)
                .hasToString("leaf for CN=a.test,O=Cagewright until "
                        + leaf.certificate().getNotAfter().toInstant());
        assertThat(authority).hasToString("authority CN=Cagewright cage c-1,O=Cagewright");
        assertThat(leaf.toString() + authority).doesNotContain(number.toString(), number.toString(16));
    }

    @Test
    void a_cage_that_is_no_plain_name_is_refused() {
        for (var name : List.of("", "a b", "a,O=evil", "x".repeat(49), "\n")) {
            assertThatThrownBy(() -> CageAuthority.create(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cage: " + name + " (expected: 1 to 48 letters, digits, '.', '_' and '-')");
        }
        assertThat(CageAuthority.create("x".repeat(48)).certificate()).isNotNull();
    }

    private static Duration halfLifeOf(Leaf leaf) {
        Instant begin = leaf.certificate().getNotBefore().toInstant();
        return Duration.between(begin, leaf.certificate().getNotAfter().toInstant())
                .dividedBy(2);
    }

    /// The bits of the key usage that are set (RFC 5280 section 4.2.1.3: 0 digitalSignature, 5 keyCertSign).
    private static List<Integer> usages(X509Certificate certificate) {
        boolean[] bits = certificate.getKeyUsage();
        return IntStream.range(0, bits.length).filter(i -> bits[i]).boxed().toList();
    }

    /// The last 20 bytes of both extensions' values.
    private static byte[] keyIdentifier(byte[] extension) {
        return Arrays.copyOfRange(extension, extension.length - 20, extension.length);
    }
}
