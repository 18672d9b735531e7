package dev.cagewright.audit.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes are one value or a refusal with its place. Run as a test this reads the committed inputs; with
/// `JAZZER_FUZZ=1` in the environment it looks for new ones.
class JsonFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_one_value_or_a_refusal_with_its_place(byte[] bytes) throws JsonSyntaxException {
        JsonValue value;
        try {
            value = Json.parse(bytes);
        } catch (JsonSyntaxException e) {
            assertThat(e.offset()).isBetween(0, bytes.length);
            assertThat(e.getMessage()).hasSizeLessThan(1000).matches("\\P{Cntrl}+");
            return;
        }
        var written = value.bytes();
        assertThat(Json.parse(written)).isEqualTo(value);
        assertThat(Json.parseCompact(written, 0, written.length)).isEqualTo(value);
        assertThat(value.write()).matches("[^\\p{Cntrl}\\x{80}-\\x{9f}\\x{2028}\\x{2029}\\x{202a}-\\x{202e}]*");
    }
}
