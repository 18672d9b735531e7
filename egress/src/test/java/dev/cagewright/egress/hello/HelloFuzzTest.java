package dev.cagewright.egress.hello;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.Unpooled;
import java.util.Arrays;

/// Any bytes are one of the four answers, and more bytes change only the one that asks for them. Run as a test this
/// reads
/// the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class HelloFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_one_answer_that_more_bytes_do_not_change(byte[] bytes) {
        var whole = read(bytes, bytes.length);
        if (whole instanceof ClientHello.Incomplete(int wanted)) {
            assertThat(wanted).isGreaterThan(bytes.length).isLessThanOrEqualTo(ClientHello.MAX_BYTES);
        }
        if (whole instanceof ClientHello.Hello hello) {
            hello.serverName().ifPresent(name -> assertThat(name.value()).matches("[a-z0-9_.-]{1,253}"));
        }
        for (int length : new int[] {0, 1, 5, 9, bytes.length / 2, bytes.length - 1}) {
            if (length >= 0 && length < bytes.length) {
                var part = read(bytes, length);
                assertThat(part instanceof ClientHello.Incomplete || part.equals(whole))
                        .as("%s after %d bytes, %s after all", part, length, whole)
                        .isTrue();
            }
        }
    }

    /// What is read when the bytes are a handshake message, in records of many sizes, is the same.
    @FuzzTest(maxDuration = "2m")
    void a_message_says_the_same_in_records_of_every_size(byte[] body) {
        var message = WrittenHello.message(Arrays.copyOf(body, Math.min(body.length, 60_000)));
        var one = read(WrittenHello.records(message, 16_384));
        assertThat(one).isNotInstanceOf(ClientHello.NotTls.class).isNotInstanceOf(ClientHello.Incomplete.class);
        for (int size : new int[] {message.length / 60 + 1, message.length / 7 + 1, message.length / 2 + 1}) {
            assertThat(read(WrittenHello.records(message, Math.min(size, 16_384))))
                    .isEqualTo(one);
        }
    }

    private static ClientHello read(byte[] bytes) {
        return read(bytes, bytes.length);
    }

    private static ClientHello read(byte[] bytes, int length) {
        return ClientHello.read(Unpooled.wrappedBuffer(bytes, 0, length));
    }
}
