package dev.cagewright.audit.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LineFormatTest {
    @Test
    void a_duplicate_member_is_refused() {
        refused(
                "\"cage\":\"",
                "\"session\":\"x\",\"cage\":\"",
                "it is not strict JSON: byte 69: duplicate member \"session\"");
    }

    @Test
    void members_in_another_order_are_refused() {
        refused(
                "\"cage\":\"analysis\",\"id\":\"a-1\"",
                "\"id\":\"a-1\",\"cage\":\"analysis\"",
                "member \"id\" stands where cage belongs");
    }

    @Test
    void a_missing_member_is_refused() {
        refused(",\"detail\":{}", "", "member \"prev\" stands where detail belongs");
    }

    @Test
    void an_unknown_member_is_refused() {
        refused(",\"detail\":{}", ",\"detail\":{},\"more\":1", "member \"more\" stands where prev belongs");
    }

    @Test
    void a_blank_is_refused() {
        refused(
                "\"detail\":{}",
                "\"detail\": {}",
                "it is not strict JSON: byte 211: no blanks are allowed here, found 0x20");
    }

    @Test
    void numbers_kinds_and_times_of_another_shape_are_refused() {
        refused("\"seq\":1,", "\"seq\":1.0,", "member seq is not a whole number from 1 on");
        refused("\"seq\":1,", "\"seq\":0,", "member seq is not a whole number from 1 on");
        refused("\"intent\"", "\"Intent\"", "member kind is none of intent, outcome and note");
        refused("1970-01-01T", "1970-02-30T", "member time is not a UTC time with six decimals of a second");
        refused("00.000000Z", "00.000Z", "member time is not a UTC time with six decimals of a second");
        refused("[\"exec:allow\"]", "[1]", "member rules is not a list of texts");
        refused("\"detail\":{}", "\"detail\":[]", "member detail is not an object");
        refused("\"a-1\"", "null", "member id is not a text");
    }

    @Test
    void what_follows_the_hash_is_refused() {
        refused("\"}", "\"} ", "it does not end in the members prev and hash of 64 hexadecimal digits");
        refused("\"hash\":\"", "\"hash\":\"A", "it does not end in the members prev and hash of 64 hexadecimal digits");
    }

    private static void refused(String from, String to, String message) {
        var composer = new LineComposer();
        composer.begin(LineFormat.NO_HASH, Instant.EPOCH);
        composer.add(1, LineFormat.body(SampleLog.intent("a-1", "allow")));
        var line = UTF_8.decode(composer.lines()).toString().strip();

        var changed =
                line.substring(0, line.lastIndexOf(from)) + to + line.substring(line.lastIndexOf(from) + from.length());

        assertThatThrownBy(() -> LineFormat.parse(changed.getBytes(UTF_8)))
                .isInstanceOf(LineSyntaxException.class)
                .hasMessage(message);
    }
}
