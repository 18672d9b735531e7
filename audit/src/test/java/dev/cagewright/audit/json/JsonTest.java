package dev.cagewright.audit.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void a_built_object_is_written_in_the_order_of_its_members() {
        var object = Json.object()
                .put("b", 1)
                .put("a", List.of("x", 2, true, List.of()))
                .put("c", Map.of("d", false))
                .put("e", new JsonNull())
                .build();

        assertThat(object.write()).isEqualTo("{\"b\":1,\"a\":[\"x\",2,true,[]],\"c\":{\"d\":false},\"e\":null}");
    }

    @Test
    void a_member_cannot_be_put_twice() {
        var builder = Json.object().put("a", 1);

        assertThatThrownBy(() -> builder.put("a", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("member: \"a\" twice (expected: once)");
    }

    @Test
    void a_value_of_a_foreign_type_is_refused() {
        assertThatThrownBy(() -> Json.of(List.of(1.5)))
                .hasMessage("json value: java.lang.Double (expected: text, whole number, boolean, list or map)");
    }

    @Test
    void B201_no_control_no_mark_of_direction_and_no_half_pair_is_written_raw() {
        for (int point = 0; point <= 0xffff; point++) {
            var text = new JsonString(String.valueOf((char) point)).write();
            boolean dangerous = point < 0x20
                    || (point >= 0x7f && point < 0xa0)
                    || (point >= 0x200b && point <= 0x200f)
                    || (point >= 0x2028 && point <= 0x202e)
                    || (point >= 0x2066 && point <= 0x2069)
                    || (point >= 0xd800 && point <= 0xdfff)
                    || point == 0xfeff;
            if (dangerous) {
                assertThat(text).isEqualTo(String.format(Locale.ROOT, "\"\\u%04x\"", point));
            }
        }
        assertThat(new JsonString("é€🙂\"\\").write()).isEqualTo("\"é€🙂\\\"\\\\\"");
    }

    @Test
    void every_string_is_read_back_as_it_was() throws Exception {
        var random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            var text = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                text.append((char) random.nextInt(random.nextBoolean() ? 0x180 : 0x10000));
            }
            var value = new JsonString(text.toString());
            assertThat(Json.parse(value.bytes())).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-0", "1", "1.0", "1e400", "9007199254740993", "-12.5E-3", "123456789012345678901234567890"
            })
    void B205_a_number_keeps_its_text(String number) throws Exception {
        assertThat(Json.parse(number)).isEqualTo(new JsonNumber(number));
        assertThat(Json.parse(number).write()).isEqualTo(number);
    }

    @Test
    void B205_twins_stay_different_and_half_pairs_stay_what_they_are() throws Exception {
        assertThat(Json.parse("\"\u00e9\"")).isNotEqualTo(Json.parse("\"e\u0301\""));
        assertThat(Json.parse("\"\\ud800\"").write()).isEqualTo("\"\\ud800\"");
        assertThat(Json.parse("1.0")).isNotEqualTo(Json.parse("1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"a\":2}|byte 7: duplicate member \"a\"",
                "{\"a\":1,\"\\u0061\":2}|byte 7: duplicate member \"a\"",
                "[1,]|byte 3: expected a value, found ']'",
                "{\"a\":1,}|byte 7: expected a member's name in double quotes, found '}'",
                "{a:1}|byte 1: expected a member's name in double quotes, found 'a'",
                "01|byte 0: expected a value, found '0'",
                "+1|byte 0: expected a value, found '+'",
                ".5|byte 0: expected a value, found '.'",
                "1.|byte 0: expected a value, found '1'",
                "NaN|byte 0: expected a value, found 'N'",
                "'x'|byte 0: expected a value, found '''",
                "\"\\x\"|byte 2: unknown escape, found 'x'",
                "\"\\u12g4\"|byte 5: expected four hexadecimal digits, found 'g'",
                "truth|byte 3: expected true, found 't'",
                "[1 2]|byte 3: expected ',' or ']', found '2'",
                "1 1|byte 2: there is more text behind the value, found '1'",
                "[|byte 1: the text ends in the middle of a value",
                "\"abc|byte 4: the text ends in the middle of a value",
                "//|byte 0: expected a value, found '/'",
            })
    void what_is_not_strict_json_is_refused_with_its_place(String text, String message) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void raw_controls_and_bytes_that_are_no_utf8_are_refused() {
        for (var bytes : List.of(
                new byte[] {'"', '\n', '"'},
                new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xe2, (byte) 0x82, '"'},
                new byte[] {'"', (byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0xf0, (byte) 0x80, (byte) 0x80, (byte) 0x80, '"'},
                new byte[] {'"', (byte) 0x80, '"'},
                new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '1'})) {
            assertThatThrownBy(() -> Json.parse(bytes)).isInstanceOf(JsonSyntaxException.class);
        }
    }

    @Test
    void depth_is_bounded_both_ways() throws Exception {
        var deepest = "[".repeat(64) + "]".repeat(64);
        assertThat(Json.parse(deepest).write()).isEqualTo(deepest);
        assertThatThrownBy(() -> Json.parse("[".repeat(100_000)))
                .hasMessage("byte 64: nested deeper than 64, found '['");
        var tooDeep = Json.array().add(Json.parse(deepest)).build();
        assertThatThrownBy(tooDeep::write)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("json: nested deeper than 64");
    }

    @Test
    void size_is_bounded() {
        assertThatThrownBy(() -> Json.parse("[1,2,3]".getBytes(UTF_8), 6))
                .hasMessage("byte 6: 7 bytes are too many (at most 6)");
        assertThatThrownBy(() -> Json.parse("1".repeat(1025)))
                .hasMessage("byte 0: a number of more than 1024 characters");
    }

    @Test
    void blanks_are_refused_where_the_form_is_compact() throws Exception {
        assertThat(Json.parse(" { \"a\" : [ 1 , 2 ] } ").write()).isEqualTo("{\"a\":[1,2]}");
        var text = "{\"a\": 1}".getBytes(UTF_8);
        assertThatThrownBy(() -> Json.parseCompact(text, 0, text.length))
                .hasMessage("byte 5: no blanks are allowed here, found 0x20");
    }
}
