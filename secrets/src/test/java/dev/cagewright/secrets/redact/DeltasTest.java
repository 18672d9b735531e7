package dev.cagewright.secrets.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Values that are told in pieces, each in a structure of its own.
class DeltasTest {
    private static final String VALUE = "sk-ant-api03-Zq7Wc1Xn8Vb2Mk5J";
    private static final String DECOY = "sk-ant-api03-DecoyDecoyDecoyD";
    private static final Redaction REDACTION =
            Redaction.of(List.of(new HeldSecret("KEY", ascii(DECOY), SecretValue.copyOf(ascii(VALUE)))));

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// What goes of a stream that comes in pieces of this size, or of any.
    private static String passed(String stream, Deltas.Shape shape, Random sizes) {
        var redactor = Redactor.ofText(REDACTION);
        var deltas = new Deltas(REDACTION, shape);
        var out = new ByteArrayOutputStream();
        var bytes = ascii(stream);
        for (int at = 0; at < bytes.length; ) {
            int to = Math.min(bytes.length, at + 1 + sizes.nextInt(60));
            out.writeBytes(deltas.next(redactor.next(Arrays.copyOfRange(bytes, at, to))));
            at = to;
        }
        out.writeBytes(deltas.next(redactor.end()));
        out.writeBytes(deltas.end());
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static String events(String said, int step, String before, String behind) {
        var stream = new StringBuilder("event: start\ndata: {\"type\":\"message_start\"}\n\n");
        for (int at = 0; at < said.length(); at += step) {
            stream.append("event: delta\ndata: ")
                    .append(before)
                    .append(said, at, Math.min(said.length(), at + step))
                    .append(behind)
                    .append("\n\n");
        }
        return stream.append("data: [DONE]\n\n").toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"~\"}}",
                "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"~\"},\"finish_reason\":null}]}",
                "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"~\"}],\"role\":\"model\"},\"index\":0}]}",
                "{\"type\":\"response.output_text.delta\",\"delta\":\"~\"}"
            })
    void a_value_told_a_few_letters_an_event_does_not_arrive(String before, String behind) {
        var random = new Random(1);
        for (int step = 1; step <= VALUE.length(); step++) {
            var stream = events("my key is " + VALUE + ", yes", step, before, behind);
            assertThat(passed(stream, Deltas.Shape.EVENTS, random))
                    .as("%s letters", step)
                    .isEqualTo(events("my key is " + DECOY + ", yes", step, before, behind));
        }
    }

    @Test
    void every_spelling_told_in_threes_is_found() {
        for (var spelled : List.of(
                Base64.getEncoder().encodeToString(ascii(VALUE)),
                HexFormat.of().formatHex(ascii(VALUE)),
                HexFormat.of().formatHex(ascii(VALUE)).toUpperCase(Locale.ROOT),
                new StringBuilder(VALUE).reverse().toString())) {
            var stream = events("it is " + spelled + ".", 3, "{\"text\":\"", "\"}");
            var said = passed(stream, Deltas.Shape.EVENTS, new Random(2)).replaceAll("(?s)\"\\}.*?\"text\":\"", "");
            assertThat(said).doesNotContain(spelled.substring(6, spelled.length() - 6));
        }
    }

    @Test
    void two_texts_that_take_turns_are_told_apart_by_their_index() {
        var stream = new StringBuilder();
        for (int at = 0; at < VALUE.length(); at += 3) {
            var piece = VALUE.substring(at, Math.min(VALUE.length(), at + 3));
            stream.append("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + piece + "\"}}]}\n\n");
            stream.append("data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}\n\n");
        }
        var said = passed(stream.toString(), Deltas.Shape.EVENTS, new Random(3));
        assertThat(said.replaceAll(
                        "(?s)\"\\}\\}\\]\\}\n\n.*?\"content\":\"(other\"\\}\\}\\]\\}\n\n.*?\"content\":\")?", ""))
                .contains(DECOY.substring(3, 20))
                .doesNotContain(VALUE.substring(13));
    }

    @Test
    void escapes_in_a_string_are_read_and_the_length_stays() {
        var escaped = new StringBuilder("{\"a\":\"");
        for (int i = 0; i < VALUE.length(); i++) {
            char each = VALUE.charAt(i);
            escaped.append(each % 2 == 0 ? String.format(Locale.ROOT, "\\u%04x", (int) each) : each);
        }
        var stream = escaped + "\",\"b\":[1,2,{\"c\":\"d\"}]}";
        var said = passed(stream, Deltas.Shape.JSON, new Random(4));
        assertThat(said).hasSize(stream.length()).endsWith("\",\"b\":[1,2,{\"c\":\"d\"}]}");
        assertThat(said).isNotEqualTo(stream).contains("\\u0044"); // of the decoy
    }

    @Test
    void lines_of_json_and_one_array_of_chunks_are_read_alike() {
        for (var between : List.of("\n", ",\r\n")) {
            var stream = new StringBuilder(between.equals("\n") ? "" : "[");
            for (int i = 0; i < VALUE.length(); i++) {
                char each = VALUE.charAt(i);
                stream.append("{\"part\":{\"text\":\"" + each + "\"}}").append(between);
            }
            var said = passed(stream.toString(), Deltas.Shape.JSON, new Random(5));
            assertThat(said.replaceAll("(?s)[^\"]*\\{\"part\":\\{\"text\":\"|\"\\}\\}[,\r\n]*", ""))
                    .contains(DECOY);
        }
    }

    @Test
    void plain_words_of_events_are_one_text() {
        var stream = new StringBuilder();
        for (int at = 0; at < VALUE.length(); at += 3) {
            stream.append("data: ")
                    .append(VALUE, at, Math.min(VALUE.length(), at + 3))
                    .append("\n\n");
        }
        assertThat(passed(stream.toString(), Deltas.Shape.EVENTS, new Random(6)).replaceAll("data: |\n", ""))
                .isEqualTo(DECOY);
    }

    @Test
    void what_holds_no_value_passes_as_it_is_and_at_once() {
        var deltas = new Deltas(REDACTION, Deltas.Shape.EVENTS);
        var event = ascii("data: {\"delta\":{\"text\":\"a task-\"}}\n\n");
        assertThat(deltas.next(event.clone())).isEqualTo(event);
        var begins = ascii("data: {\"delta\":{\"text\":\"sk-ant-\"}}\n\n");
        assertThat(deltas.next(begins.clone())).isEqualTo(ascii("data: {\"delta\":{\"text\":\""));
        var breaks = ascii("data: {\"delta\":{\"text\":\"or so\"}}\n\n");
        assertThat(new String(deltas.next(breaks.clone()), StandardCharsets.US_ASCII))
                .isEqualTo("sk-ant-\"}}\n\ndata: {\"delta\":{\"text\":\"or so\"}}\n\n");
    }

    @Test
    void what_is_no_json_passes_byte_for_byte() {
        var random = new Random(7);
        for (int round = 0; round < 300; round++) {
            var noise = new StringBuilder();
            for (int i = random.nextInt(400); i > 0; i--) {
                noise.append("{}[]\":,\\u0aeindex\n data:\r1".charAt(random.nextInt(26)));
            }
            for (var shape : Deltas.Shape.values()) {
                assertThat(passed(noise.toString(), shape, random)).isEqualTo(noise.toString());
            }
        }
    }
}
