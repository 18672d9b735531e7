package dev.cagewright.supervisor.har;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.capture.Field;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Bodies for reading: what can be decoded is, within bounds; nothing is made up.
class ReadableBodyTest {
    private static final byte[] TEXT = "hello hello hello\n".repeat(100).getBytes(StandardCharsets.UTF_8);

    private static List<Field> fields(String coding, String type) {
        return List.of(new Field("content-encoding", coding), new Field("Content-Type", type));
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] plain, Deflater deflater) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var deflate = new DeflaterOutputStream(out, deflater)) {
            deflate.write(plain);
        }
        deflater.end();
        return out.toByteArray();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void gzip_and_both_deflates_are_decoded_to_text() throws IOException {
        var coded =
                List.of(gzip(TEXT), deflate(TEXT, new Deflater()), deflate(TEXT, new Deflater(6, /* nowrap= */ true)));
        var names = List.of("gzip", "deflate", "Deflate");
        for (int i = 0; i < coded.size(); i++) {
            var body = ReadableBody.of(coded.get(i), coded.get(i).length, fields(names.get(i), "text/plain"));
            assertThat(body.form()).isEqualTo(ReadableBody.Form.TEXT);
            assertThat(body.text()).isEqualTo(new String(TEXT, StandardCharsets.UTF_8));
            assertThat(body.size()).isEqualTo(TEXT.length);
        }
    }

    @Test
    void a_coding_that_nobody_reads_is_kept_as_it_was_and_told() {
        var body = ReadableBody.of(TEXT, TEXT.length, fields("br", "text/plain"));
        assertThat(body.text()).isEqualTo(base64(TEXT));
        assertThat(body.form()).isEqualTo(ReadableBody.Form.BASE64);
        assertThat(body.notes()).containsExactly("content-encoding br is kept as it was");
    }

    @Test
    void what_decodes_to_far_more_than_it_is_is_kept_as_it_was() throws IOException {
        var bomb = gzip(new byte[50 << 20]);
        var body = ReadableBody.of(bomb, bomb.length, fields("gzip", "text/plain"));
        assertThat(body.text()).isEqualTo(base64(bomb));
        assertThat(body.notes().getFirst()).contains("decodes to more than");
        var near = gzip(new byte[1 << 20]);
        assertThat(ReadableBody.of(near, near.length, fields("gzip", "text/plain"))
                        .size())
                .isEqualTo(1 << 20);
    }

    @Test
    void a_cut_coding_is_decoded_as_far_as_it_goes() throws IOException {
        var coded = gzip(TEXT);
        var cut = Arrays.copyOf(coded, coded.length - 12);
        var body = ReadableBody.of(cut, coded.length, fields("gzip", "text/plain"));
        assertThat(new String(TEXT, StandardCharsets.UTF_8)).startsWith(body.text());
        assertThat(body.notes())
                .contains(
                        "the first " + cut.length + " of " + coded.length + " bytes are kept", "the coding breaks off");
    }

    @Test
    void what_is_not_what_it_says_is_kept_as_it_was() {
        var body = ReadableBody.of(TEXT, TEXT.length, fields("gzip", "text/plain"));
        assertThat(body.text()).isEqualTo(base64(TEXT));
        assertThat(body.notes()).containsExactly("it is no gzip, and kept as it was");
    }

    @Test
    void text_is_text_by_its_bytes_and_everything_else_base64() {
        var none = List.<Field>of();
        assertThat(ReadableBody.of("h\u00e9\t\r\n".getBytes(StandardCharsets.UTF_8), 6, none)
                        .text())
                .isEqualTo("h\u00e9\t\r\n");
        assertThat(ReadableBody.of(new byte[] {'a', 0}, 2, none).text()).isEqualTo("YQA=");
        assertThat(ReadableBody.of(new byte[] {(byte) 0xe9}, 1, none).text()).isEqualTo("6Q==");
        var latin = List.of(new Field("content-type", "text/html; Charset=\"ISO-8859-1\""));
        assertThat(ReadableBody.of(new byte[] {(byte) 0xe9}, 1, latin).text()).isEqualTo("\u00e9");
        var odd = List.of(new Field("content-type", "text/html; charset=klingon"));
        assertThat(ReadableBody.of(new byte[] {'a'}, 1, odd).text()).isEqualTo("YQ==");
    }

    @Test
    void text_that_is_cut_inside_of_a_character_is_still_text() {
        var euro = "10 \u20ac".getBytes(StandardCharsets.UTF_8);
        for (int length = 3; length < euro.length; length++) {
            assertThat(ReadableBody.of(Arrays.copyOf(euro, length), 100, List.of())
                            .text())
                    .isEqualTo("10 ");
        }
        assertThat(ReadableBody.of(Arrays.copyOf(euro, 4), 4, List.of()).form()).isEqualTo(ReadableBody.Form.BASE64);
    }
}
