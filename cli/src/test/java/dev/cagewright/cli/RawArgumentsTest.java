package dev.cagewright.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RawArgumentsTest {
    private static byte[] commandLine(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void B265_the_last_words_are_the_bytes_that_execve_got() throws IOException {
        var words = RawArguments.last(commandLine("java\0-m\0run\0--\0ls\0\0\u00ff\u00c3\u00a9\0"), 3);

        assertThat(words.get(0)).isEqualTo(ByteString.of("ls"));
        assertThat(words.get(1).size()).isZero();
        assertThat(words.get(2).toByteArray()).containsExactly(0xff, 0xc3, 0xa9);
    }

    @Test
    void fewer_words_than_asked_for_is_an_error() {
        assertThatThrownBy(() -> RawArguments.last(commandLine("java\0x\0"), 3))
                .isInstanceOf(IOException.class)
                .hasMessage("/proc/self/cmdline: 2 words (expected: at least 3)");
    }

    @Test
    void this_process_has_its_own_words() throws IOException {
        assertThat(RawArguments.last(1)).hasSize(1);
    }
}
