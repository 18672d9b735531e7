package dev.cagewright.secrets.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Values of which one runs into another, or into itself.
class OverlapTest {
    private static final String FIRST = "sk-first-0123456789-shared-part";
    private static final String SECOND = "shared-part-9876543210-second";

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Redaction redaction(List<String> values) {
        var held = new ArrayList<HeldSecret>();
        for (int i = 0; i < values.size(); i++) {
            var decoy = String.valueOf((char) ('0' + i))
                    .repeat(Math.max(16, values.get(i).length()));
            held.add(new HeldSecret("KEY_" + i, ascii(decoy), SecretValue.copyOf(ascii(values.get(i)))));
        }
        return Redaction.of(held);
    }

    private static String passed(Redaction redaction, String text, Random sizes) {
        var redactor = Redactor.ofText(redaction);
        var out = new ByteArrayOutputStream();
        var bytes = ascii(text);
        for (int at = 0; at < bytes.length; ) {
            int to = Math.min(bytes.length, at + 1 + sizes.nextInt(12));
            out.writeBytes(redactor.next(Arrays.copyOfRange(bytes, at, to)));
            at = to;
        }
        out.writeBytes(redactor.end());
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void of_two_values_that_share_a_part_nothing_is_left() {
        var both = FIRST + SECOND.substring("shared-part".length());
        for (int round = 0; round < 50; round++) {
            assertThat(passed(redaction(List.of(FIRST, SECOND)), "<" + both + ">", new Random(round)))
                    .isEqualTo("<" + "0".repeat(FIRST.length()) + "1".repeat(both.length() - FIRST.length()) + ">");
        }
    }

    @Test
    void what_only_begins_like_the_second_stays() {
        var text = "<" + FIRST + "-9876543210-other>";
        for (int round = 0; round < 50; round++) {
            assertThat(passed(redaction(List.of(FIRST, SECOND)), text, new Random(round)))
                    .isEqualTo("<" + "0".repeat(FIRST.length()) + "-9876543210-other>");
        }
    }

    @Test
    void told_a_few_letters_an_event_nothing_is_left_either() {
        var both = FIRST + SECOND.substring("shared-part".length());
        for (int step = 1; step <= both.length(); step++) {
            var redaction = redaction(List.of(FIRST, SECOND));
            var deltas = new Deltas(redaction, Deltas.Shape.EVENTS);
            var redactor = Redactor.ofText(redaction);
            var out = new StringBuilder();
            for (int at = 0; at < both.length(); at += step) {
                var event = "data: {\"text\":\"" + both.substring(at, Math.min(both.length(), at + step)) + "\"}\n\n";
                out.append(text(redactor.next(deltas.next(ascii(event)))));
            }
            out.append(text(redactor.next(deltas.end()))).append(text(redactor.end()));
            var left = out.toString().replaceAll("data: \\{\"text\":\"|\"}\n\n", "");
            assertThat(left.substring(Lane.LEAST_HELD - 1))
                    .as("%s letters", step)
                    .isEqualTo("0".repeat(FIRST.length() - Lane.LEAST_HELD + 1)
                            + "1".repeat(both.length() - FIRST.length()));
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Two letters, so that every kind of overlap happens.
    @Test
    void whatever_the_overlap_each_letter_of_a_value_is_taken_out_and_no_other() {
        var random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            var values = new ArrayList<String>();
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                values.add(letters(random, 8 + random.nextInt(12)));
            }
            var text = letters(random, random.nextInt(300));
            var seen = passed(redaction(values), text, random).replaceAll("[0-9]", "#");
            assertThat(seen).as("round %s", round).isEqualTo(masked(text, values));
        }
    }

    private static String letters(Random random, int length) {
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('x' + random.nextInt(2)));
        }
        return text.toString();
    }

    private static String masked(String text, List<String> values) {
        var masked = new StringBuilder(text);
        for (var value : values) {
            for (var spelling :
                    List.of(value, new StringBuilder(value).reverse().toString())) {
                for (int at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
                    masked.replace(at, at + spelling.length(), "#".repeat(spelling.length()));
                }
            }
        }
        return masked.toString();
    }
}
