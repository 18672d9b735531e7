package dev.cagewright.supervisor.policyfile.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictReaderTest {
    private record Reading(Optional<Node> root, List<String> problems) {}

    private static Reading read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Reading read(byte[] bytes) {
        var problems = new Problems("p");
        var root = SourceText.decode(bytes, problems).flatMap(source -> StrictReader.read(source, problems));
        return new Reading(
                root, problems.inOrder().stream().map(Problem::toString).toList());
    }

    private static List<String> problems(String text) {
        return read(text).problems();
    }

    private static Node good(String text) {
        assertThat(problems(text)).isEmpty();
        return read(text).root().orElseThrow();
    }

    private static Node.Scalar scalar(Node mapping, String key) {
        return (Node.Scalar) ((Node.Mapping) mapping).find(key).orElseThrow();
    }

    @Test
    void a_document_becomes_nodes_with_their_places() {
        var root = good("a: b\nlist:\n  - 😀: 'x'\n  - [1, 2]\n");

        assertThat(scalar(root, "a").at()).hasToString("1:4");
        var list = (Node.Sequence) ((Node.Mapping) root).find("list").orElseThrow();
        assertThat(list.at()).hasToString("3:3");
        assertThat(scalar(list.items().getFirst(), "😀").at()).hasToString("3:8");
        assertThat(((Node.Sequence) list.items().get(1)).items())
                .extracting(Node::at)
                .hasToString("[4:6, 4:9]");
    }

    @Test
    void json_is_read_as_it_is() {
        var root = good("{\"a\": {\"b\": [true, null, 1.5, \"x\\u00e9\\ud83d\\ude00\\/\"]}}");

        var items = ((Node.Sequence)
                        ((Node.Mapping) ((Node.Mapping) root).find("a").orElseThrow())
                                .find("b")
                                .orElseThrow())
                .items();
        assertThat(items).extracting(Node::kind).containsExactly("true or false", "no value", "a number", "a string");
        assertThat(((Node.Scalar) items.get(3)).text()).isEqualTo("xé😀/");
    }

    @ParameterizedTest
    @CsvSource({
        "no, a string",
        "NO, a string",
        "on, a string",
        "yes, a string",
        "y, a string",
        "off, a string",
        "1_000, a string",
        "12:30, a string",
        "2026-01-01, a string",
        "y.test, a string",
        "0b1, a string",
        "~, no value",
        "null, no value",
        "NULL, no value",
        "nULL, a string",
        "true, true or false",
        "TRUE, true or false",
        "tRUE, a string",
        "1e3, a number",
        "0x10, a whole number",
        "0755, a whole number",
        "0o755, a whole number",
        "755, a whole number",
        "8080.0, a number",
        ".5, a number",
        "1., a number",
        ".inf, a number",
        ".nan, a number",
        "1e, a string",
        "+, a string",
        "-1, a whole number",
        "08, a whole number"
    })
    void B268_a_plain_word_is_what_yaml_1_2_says(String word, String kind) {
        assertThat(scalar(good("a: " + word), "a").kind()).isEqualTo(kind);
        assertThat(scalar(good("a: '" + word + "'"), "a").kind()).isEqualTo("a string");
        assertThat(scalar(good("{\"a\": \"" + word + "\"}"), "a").kind()).isEqualTo("a string");
    }

    @Test
    void B272_a_key_that_stands_twice_is_refused_with_both_places() {
        assertThat(problems("effect: deny\neffect: allow\n"))
                .containsExactly("p:2:1: duplicate key \"effect\" (first at 1:1; keep one of them)");
        assertThat(problems("\"net\": {}\nx: 1\nnet: {}\n"))
                .containsExactly("p:3:1: duplicate key \"net\" (first at 1:1; keep one of them)");
        assertThat(problems("{\"net\": 1, \"\\u006eet\": 2}"))
                .containsExactly("p:1:12: duplicate key \"net\" (first at 1:2; keep one of them)");
        assertThat(problems("a: {b: 1, b: 2}\nc: {b: 1}\n"))
                .containsExactly("p:1:11: duplicate key \"b\" (first at 1:5; keep one of them)");
    }

    @Test
    void B272_merge_keys_are_off() {
        assertThat(problems("base: &b {effect: deny}\nuse:\n  <<: *b\n  effect: allow\n"))
                .containsExactly(
                        "p:1:7: anchor &b is not allowed (remove it and write each value where it is needed)",
                        "p:3:3: merge key << is not allowed (write the keys themselves)",
                        "p:3:7: alias *b is not allowed (write the value itself)");
        assertThat(problems("<<: [a]"))
                .containsExactly("p:1:1: merge key << is not allowed (write the keys themselves)");
        assertThat(problems("'<<': a")).isEmpty();
    }

    @Test
    void B271_a_tag_is_refused_with_its_line_and_nothing_is_called() throws Exception {
        try (var listener = new ServerSocket()) {
            listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 9}), 0));
            listener.setSoTimeout(100);
            var url = "http://127.0.0.9:" + listener.getLocalPort() + "/";

            assertThat(problems("a: !!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ["
                            + url + "]]]]"))
                    .hasSize(3)
                    .first()
                    .isEqualTo("p:1:4: tag tag:yaml.org,2002:javax.script.ScriptEngineManager is not allowed"
                            + " (remove it; only plain text, numbers, lists and mappings are read)");
            assertThat(problems("a: !!java.net.URL [" + url + "]")).hasSize(1);
            assertThat(problems("a: !<tag:yaml.org,2002:java.lang.ProcessBuilder> [id]"))
                    .hasSize(1);
            assertThat(problems("a: !include " + url)).hasSize(1);

            Assertions.assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a: !!binary aGk=, 1:4",
        "a: !!python/object x, 1:4",
        "a: !!str x, 1:4",
        "a: ! x, 1:4",
        "!!str a: x, 1:1",
        "!!map {a: b}, 1:1",
        "a: !!null, 1:4",
        "a: !e!x y, 1:4"
    })
    void B271_every_kind_of_tag_is_refused(String text, String place) {
        assertThat(problems(text))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("p:" + place + ": ")
                .contains("tag ");
    }

    @Test
    void anchors_and_aliases_are_refused_even_where_they_do_no_harm() {
        assertThat(problems("a: &x 1")).hasSize(1);
        assertThat(problems("&k a: 1")).hasSize(1);
        assertThat(problems("a: *nowhere"))
                .containsExactly("p:1:4: alias *nowhere is not allowed (write the value itself)");
        assertThat(problems("*a : 1")).hasSize(1);
    }

    @Test
    void directives_and_second_documents_are_refused() {
        assertThat(problems("%YAML 1.1\n---\na: no\n"))
                .containsExactly("p:1:1: a directive is not allowed (remove the lines that start with %)");
        assertThat(problems("%FOO bar\n---\na: b\n")).hasSize(1);
        assertThat(problems("%TAG !e! tag:x,1:\n---\na: b\n")).hasSize(1);
        assertThat(problems("a: b\n---\nc: d\n"))
                .containsExactly("p:2:1: a second document starts here (a file holds one; remove the rest)");
        assertThat(problems("---\na: b\n...\n")).isEmpty();
    }

    @Test
    void what_is_no_key_is_refused() {
        assertThat(problems("? [a, b]\n: c\n"))
                .containsExactly("p:1:3: a list or mapping cannot be a key (quote text with brackets)");
        assertThat(problems("{a: b}: c")).hasSize(1);
        assertThat(problems("? plain\n: c\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a:\\n\\t- b | 2:1: a tab cannot indent (use spaces)",
                "a: b: c | 1:5: a second \": \" in one value (quote the text, or start the key on its own line at the right depth)",
                "a: [1, 2 | 1:4: a list is not closed (add the missing \",\" or \"]\")",
                "a: {b: 2 | 1:4: a mapping is not closed (add the missing \",\" or \"}\")",
                "a: @x | 1:4: a value cannot start with this character (put it in quotes)",
                "a: \"x | 1:4: a quote is opened and never closed (close it on the same line)",
                "a:\\n  b: 1\\n c: 2 | 3:2: the indentation fits no line above (indent keys of one mapping, and items of one list, alike)",
                "- a\\n-b | 2:1: a line that is neither a key nor an item (a key ends in \": \", an item starts with \"- \")"
            })
    void the_parsers_complaints_are_in_words_of_the_person_who_wrote_the_file(String text, String problem) {
        assertThat(problems(text.replace("\\n", "\n").replace("\\t", "\t"))).containsExactly("p:" + problem);
    }

    @ParameterizedTest
    @CsvSource({
        "[, 10000",
        "'{a: ', 10000",
        "'- ', 10000",
        "'? ', 10000",
        "[, 1000000",
        "'[{a: ', 5000",
        "'[[],', 200000"
    })
    void B270_deep_nesting_is_one_clean_error(String open, int times) {
        assertThat(problems(open.repeat(times))).hasSize(1).first().asString().matches("p:\\d+:\\d+: .*");
    }

    @Test
    void B270_ten_thousand_brackets_are_one_clean_error() {
        assertThat(problems("[".repeat(10_000)))
                .containsExactly("p:1:33: nested deeper than 32 levels (no file needs that)");
        assertThat(problems("[".repeat(32) + "]".repeat(32))).isEmpty();
        assertThat(problems("a: ".concat("[".repeat(10_000)).concat("]".repeat(10_000))))
                .hasSize(1);
    }

    @Test
    void B270_fifty_megabytes_are_one_clean_error() {
        assertThat(read(new byte[50 << 20]).problems())
                .containsExactly("p:1:1: more than 1 MiB (is this the right file?)");
        assertThat(problems("#".repeat(SourceText.MAX_BYTES))).isEmpty();
        assertThat(problems("#".repeat(SourceText.MAX_BYTES + 1))).hasSize(1);
    }

    @Test
    void B270_a_key_of_a_megabyte_is_one_clean_error() {
        assertThat(problems("k".repeat(1_000_000) + ": 1"))
                .containsExactly("p:1:1: value of 1000000 characters (at most 65536)");
        assertThat(problems("? " + "k".repeat(1_000_000) + "\n: 1"))
                .containsExactly("p:1:3: key of 1000000 characters (at most 256)");
        assertThat(problems("k".repeat(257) + ": 1")).containsExactly("p:1:1: key of 257 characters (at most 256)");
        assertThat(problems("k".repeat(256) + ": 1")).isEmpty();
        assertThat(problems("a: " + "v".repeat(65_537))).hasSize(1);
        assertThat(problems("a: " + "v".repeat(65_536))).isEmpty();
    }

    @Test
    void more_values_than_the_limit_are_one_clean_error() {
        assertThat(problems("- a\n".repeat(20_000)))
                .containsExactly("p:20000:3: more than 20000 values (split the file)");
        assertThat(problems("- a\n".repeat(19_999))).isEmpty();
    }

    @Test
    void bytes_that_are_not_utf_8_are_refused_where_they_stand() {
        assertThat(read(new byte[] {'a', ':', '\n', ' ', (byte) 0xff}).problems())
                .containsExactly("p:2:2: byte FF is not UTF-8 (save the file as UTF-8)");
        assertThat(read(new byte[] {'a', (byte) 0xc0, (byte) 0xaf}).problems())
                .containsExactly("p:1:2: byte C0 is not UTF-8 (save the file as UTF-8)");
        assertThat(read(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}).problems())
                .hasSize(1);
        assertThat(read(new byte[] {(byte) 0xe2, (byte) 0x82}).problems()).hasSize(1);
        assertThat(read("a: b".getBytes(StandardCharsets.UTF_16)).problems())
                .containsExactly("p:1:1: byte FE is not UTF-8 (save the file as UTF-8)");
    }

    @Test
    void a_byte_order_mark_is_no_part_of_the_text() {
        assertThat(scalar(good("\ufeffa: b"), "a").at()).hasToString("1:4");
    }

    @Test
    void characters_that_mislead_a_reader_are_refused() {
        assertThat(problems("a: b\nc: x\u202ey"))
                .containsExactly("p:2:5: character U+202E is not allowed here"
                        + " (remove it; in a quoted value write it as an escape such as \"\\u00e9\")");
        for (String hidden : List.of("\u0000", "\u001b", "\u0085", "\u2028", "\u2029", "\u2066", "\u007f", "\ufffe")) {
            assertThat(problems("# a comment " + hidden + "\na: b")).hasSize(1);
        }
        assertThat(problems("# caf\u00e9 \ud83d\ude00\ta: b")).isEmpty();
    }

    @Test
    void half_of_a_surrogate_pair_is_refused() {
        assertThat(problems("a: \"\\ud83d\""))
                .containsExactly("p:1:4: half of a surrogate pair is not text (write the character itself)");
    }

    @Test
    void all_problems_come_together_in_the_order_of_the_file() {
        assertThat(problems("a: &x 1\na: !!str 2\nb: *x\nb: {<<: 1}\n"))
                .extracting(text -> text.substring(0, text.indexOf(' ')))
                .containsExactly("p:1:4:", "p:2:1:", "p:2:4:", "p:3:4:", "p:4:1:", "p:4:5:");
    }

    @Test
    void no_more_than_fifty_problems_are_listed_and_the_rest_is_counted() {
        var problems = new Problems("p");
        var text = new SourceText("p", "- *a\n".repeat(1_000));

        assertThat(StrictReader.read(text, problems)).isPresent();

        assertThat(problems.inOrder()).hasSize(50);
        assertThat(problems.unlisted()).isEqualTo(950);
    }

    @Test
    void lines_end_as_in_yaml() {
        assertThat(scalar(good("a: 1\r\nb: 2\rc: 3\n"), "c").at()).hasToString("3:4");
        assertThat(new SourceText("p", "a\r\nb\rc\n").lines()).containsExactly("a", "b", "c", "");
    }
}
