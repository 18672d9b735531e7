package dev.cagewright.egress.credential;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.secrets.redact.Deltas;
import dev.cagewright.secrets.redact.Patterns;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Redactor;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// Whatever the values and the text, in pieces of whatever size. Run as a test this reads the committed inputs; with
/// `JAZZER_FUZZ=1` in the environment it looks for new ones.
class RedactionFuzzTest {
    private static final String VALUE = "sk-live-Zq7Wc1Xn8Vb2Mk5J";

    /// The first bytes say how many patterns and how large the pieces, the next ones the patterns, the rest the text.
    @FuzzTest(maxDuration = "2m")
    void patterns_are_found_as_a_plain_search_finds_them(byte[] bytes) {
        if (bytes.length < 64) {
            return;
        }
        var patterns = new TreeSet<byte[]>(Arrays::compareUnsigned);
        int at = 3;
        for (int i = 1 + (bytes[0] & 3); i > 0 && at + 24 < bytes.length; i--) {
            int length = 8 + (bytes[at] & 15);
            patterns.add(Arrays.copyOfRange(bytes, at + 1, at + 1 + length));
            at += 1 + length;
        }
        var text = Arrays.copyOfRange(bytes, at, bytes.length);
        var compiled = Patterns.of(List.copyOf(patterns));
        assertThat(found(compiled, text, 1 + (bytes[1] & 63), 1 + (bytes[2] & 7)))
                .isEqualTo(plain(text, List.copyOf(patterns)));
    }

    private static List<String> found(Patterns patterns, byte[] text, int one, int other) {
        var found = new ArrayList<String>();
        int undecided = 0;
        int to = 0;
        for (boolean isOne = true; to < text.length; isOne = !isOne) {
            to = Math.min(text.length, to + (isOne ? one : other));
            undecided = patterns.search(
                    text, undecided, to, Patterns.Rest.MORE_COMES, (_, from, end) -> found.add(from + "-" + end));
        }
        assertThat(patterns.search(
                        text, undecided, to, Patterns.Rest.ENDS, (_, from, end) -> found.add(from + "-" + end)))
                .isEqualTo(text.length);
        return found;
    }

    private static List<String> plain(byte[] text, List<byte[]> patterns) {
        var found = new ArrayList<String>();
        for (int at = 0; at < text.length; ) {
            int longest = 0;
            for (var pattern : patterns) {
                if (pattern.length > longest
                        && at + pattern.length <= text.length
                        && Arrays.equals(pattern, 0, pattern.length, text, at, at + pattern.length)) {
                    longest = pattern.length;
                }
            }
            if (longest > 0) {
                found.add(at + "-" + (at + longest));
            }
            at += Math.max(1, longest);
        }
        return found;
    }

    /// The first byte says how large the pieces are.
    @FuzzTest(maxDuration = "2m")
    void a_stream_of_events_keeps_its_length_and_loses_the_value(byte[] bytes) {
        if (bytes.length < 2) {
            return;
        }
        var secret = new HeldSecret(
                "KEY",
                "sk-live-DecoyDecoyDecoy1".getBytes(StandardCharsets.US_ASCII),
                SecretValue.copyOf(VALUE.getBytes(StandardCharsets.US_ASCII)));
        try (var redaction = Redaction.of(List.of(secret))) {
            for (var shape : Deltas.Shape.values()) {
                var redactor = Redactor.ofText(redaction);
                var deltas = new Deltas(redaction, shape);
                var out = new ByteArrayOutputStream();
                int size = 1 + (bytes[0] & 0xff);
                for (int at = 1; at < bytes.length; at += size) {
                    out.writeBytes(deltas.next(
                            redactor.next(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)))));
                }
                out.writeBytes(deltas.next(redactor.end()));
                out.writeBytes(deltas.end());
                assertThat(out.size()).isEqualTo(bytes.length - 1);
                assertThat(out.toString(StandardCharsets.ISO_8859_1)).doesNotContain(VALUE);
                if (redactor.names().isEmpty() && deltas.names().isEmpty()) {
                    assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 1, bytes.length));
                }
            }
        }
    }
}
