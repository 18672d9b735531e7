package dev.cagewright.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvFileTest {
    private final Path file;

    EnvFileTest(@TempDir Path folder) {
        file = folder.resolve(".env");
    }

    private Map<String, String> read(String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        try (var read = EnvFile.read(file)) {
            var values = new LinkedHashMap<String, String>();
            for (var entry : read.entries()) {
                values.put(entry.name(), entry.value().lend(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)));
            }
            read.empty().forEach(name -> values.put(name, ""));
            return values;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "A=plain~plain",
                "export A=plain~plain",
                "  A = spaced  ~spaced",
                "A=with=equals==~with=equals==",
                "A=before # a comment~before",
                "A=no#comment~no#comment",
                "A='single \\n $x \" #'~single \\n $x \" #",
                "A=\"double \\\" \\\\ \\$ \\` \\n #.\"~double \" \\ $ ` \\n #.",
                "A=\"closed\" # and said~closed",
                "A=#~#",
            })
    void a_line_is_read_as_shells_and_their_libraries_do(String line, String value) throws IOException {
        assertThat(read(line + "\n")).containsExactly(Map.entry("A", value));
        assertThat(read("# first\r\n\r\n" + line + "\r\nB=2"))
                .containsExactly(Map.entry("A", value), Map.entry("B", "2"));
    }

    @Test
    void what_has_no_value_is_told_apart_and_bytes_stay_bytes() throws IOException {
        assertThat(read("A=\nB=''\nC=\u00e9\u00ff\n"))
                .containsOnly(Map.entry("A", ""), Map.entry("B", ""), Map.entry("C", "\u00e9\u00ff"));
        assertThat(read("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "hunter2~is not NAME=VALUE (expected: that, a comment, or nothing)",
                "A='hunter2~a quote is not closed (expected: ' on the same line)",
                "A=\"hunter2\\\"~a quote is not closed (expected: \" on the same line)",
                "A='hunter2' hunter3~something follows the closing quote (expected: nothing)",
            })
    void a_line_that_is_none_is_named_and_not_shown(String line, String why) {
        assertThatThrownBy(() -> read("GOOD=hunter1\n\n" + line + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ", line 3: " + why);
    }

    @Test
    void what_no_header_could_carry_and_what_no_secret_may_be_called_is_refused() {
        for (var line : List.of("A=hunter\0two", "A='hunter\rtwo'", "spa ce=hunter2", "=hunter2", "../x=hunter2")) {
            assertThatThrownBy(() -> read("\n" + line + "\n"))
                    .as(line)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(file + ", line 2: ")
                    .hasMessageNotContaining("hunter");
        }
    }

    @Test
    void a_file_is_read_up_to_a_mebibyte() throws IOException {
        var line = "A=" + "v".repeat(60_000) + "\n";
        assertThat(read(line.repeat(17))).hasSize(1);
        assertThatThrownBy(() -> read(line.repeat(18)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ": has more than 1048576 bytes (expected: fewer)");
        assertThatThrownBy(() -> EnvFile.read(file.resolveSibling("none"))).isInstanceOf(IOException.class);
    }
}
