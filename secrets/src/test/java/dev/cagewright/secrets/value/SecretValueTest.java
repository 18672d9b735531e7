package dev.cagewright.secrets.value;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretValueTest {
    private static final byte[] CANARY = "canary-value-0123456789".getBytes(US_ASCII);
    private static final byte[] DECOY = "decoy-0123456789abcdef".getBytes(US_ASCII);

    @Test
    void B091_no_form_of_a_secret_shows_its_value() {
        try (var value = SecretValue.copyOf(CANARY);
                var held = new HeldSecret("github_token", DECOY, SecretValue.copyOf(CANARY))) {
            assertThat(value + " " + held).contains("github_token").doesNotContain("canary");
            assertThat(value).isNotInstanceOf(Serializable.class).isNotEqualTo(SecretValue.copyOf(CANARY));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "canary\r", "can\nary", "canary\0"})
    void what_no_header_can_carry_is_refused_without_showing_it(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SecretValue.copyOf(text.getBytes(US_ASCII)))
                .satisfies(e -> assertThat(e.getMessage()).contains("expected").doesNotContain("canary"));
    }

    @Test
    void a_value_is_bounded() {
        assertThat(SecretValue.copyOf("x".repeat(SecretValue.MOST).getBytes(US_ASCII))
                        .length())
                .isEqualTo(SecretValue.MOST);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        SecretValue.copyOf("x".repeat(SecretValue.MOST + 1).getBytes(US_ASCII)));
    }

    @Test
    void what_was_lent_is_wiped_afterwards() {
        var kept = new AtomicReference<byte[]>();
        try (var value = SecretValue.copyOf(CANARY)) {
            assertThat(value.<Boolean>lend(bytes -> {
                        kept.set(bytes);
                        return new String(bytes, US_ASCII).startsWith("canary");
                    }))
                    .isTrue();
        }
        assertThat(kept.get()).containsOnly(0);
    }

    @Test
    void a_closed_value_is_gone() {
        var value = SecretValue.copyOf(CANARY);
        assertThat(value.matches(CANARY)).isTrue();
        value.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> value.copyTo(new byte[64], 0))
                .withMessageContaining("wiped");
    }

    @Test
    void a_decoy_is_never_short_and_never_the_value() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HeldSecret("a", "short".getBytes(US_ASCII), SecretValue.copyOf(CANARY)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HeldSecret("a", CANARY, SecretValue.copyOf(CANARY)))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("canary-"));
    }
}
