package dev.cagewright.supervisor.signing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cagewright.policy.action.ByteString;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyChoiceTest {
    private static SigningKey key(int number) {
        var kind = "ssh-ed25519".getBytes(US_ASCII);
        var blob = ByteBuffer.allocate(4 + kind.length + 4 + 32)
                .putInt(kind.length)
                .put(kind)
                .putInt(32)
                .put((byte) number)
                .array();
        return new SigningKey(blob, "key-" + number);
    }

    private final SigningKey one = key(1);
    private final SigningKey two = key(2);

    @Test
    void the_only_key_is_the_one() {
        assertThat(KeyChoice.of(List.of(one), Optional.empty())).isSameAs(one);
    }

    @Test
    void a_key_is_named_by_its_fingerprint_its_comment_or_its_public_half() {
        for (String name : List.of(two.fingerprint(), "key-2", two.line(), two.line() + " ada@example.com\n")) {
            assertThat(KeyChoice.of(List.of(one, two), Optional.of(name))).isSameAs(two);
        }
    }

    @Test
    void several_keys_and_no_name_are_told() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyChoice.of(List.of(one, two), Optional.empty()))
                .withMessage("there is more than one of the keys of your ssh agent (expected: one of "
                        + one.fingerprint() + " key-1, " + two.fingerprint() + " key-2)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyChoice.of(List.of(one, two), Optional.of("SHA256:x")))
                .withMessageStartingWith("\"SHA256:x\" is none of the keys of your ssh agent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyChoice.of(List.of(), Optional.empty()))
                .withMessage("your ssh agent has no key to sign with (ssh-add adds one)");
    }

    @Test
    void settings_of_git_stand_behind_those_that_are_there() {
        var block = List.of(
                ByteString.of("GIT_CONFIG_COUNT=1"),
                ByteString.of("GIT_CONFIG_KEY_0=credential.helper"),
                ByteString.of("GIT_CONFIG_VALUE_0=x"));

        assertThat(GitSettings.signing("ssh-ed25519 AAAA").over(block).stream().map(ByteString::latin1))
                .containsExactly(
                        "GIT_CONFIG_KEY_0=credential.helper",
                        "GIT_CONFIG_VALUE_0=x",
                        "GIT_CONFIG_KEY_1=gpg.format",
                        "GIT_CONFIG_VALUE_1=ssh",
                        "GIT_CONFIG_KEY_2=user.signingKey",
                        "GIT_CONFIG_VALUE_2=key::ssh-ed25519 AAAA",
                        "GIT_CONFIG_KEY_3=commit.gpgSign",
                        "GIT_CONFIG_VALUE_3=true",
                        "GIT_CONFIG_KEY_4=tag.gpgSign",
                        "GIT_CONFIG_VALUE_4=true",
                        "GIT_CONFIG_COUNT=5");
    }

    @Test
    void so_many_signatures_at_once_and_then_so_many_a_second() {
        long[] now = {0};
        var pace = new SigningPace(() -> now[0]);
        for (int i = 0; i < SigningPace.BURST; i++) {
            assertThat(pace.attempt()).isEmpty();
        }
        assertThat(pace.attempt()).contains("too many at once (expected: at most 50, then 5 a second)");
        now[0] += 200_000_000L;
        assertThat(pace.attempt()).isEmpty();
        assertThat(pace.attempt()).isPresent();
    }
}
