package dev.cagewright.supervisor.imports.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The examples and rules of TOML 1.0.0 (toml.io/en/v1.0.0, by section), and texts that mean harm.
class TomlReaderTest {
    /// Keys and values as one line; strings in quotes.
    private static String meant(String toml) throws TomlException {
        return text(TomlReader.read(toml));
    }

    private static String text(Node node) {
        return switch (node) {
            case Node.Mapping map ->
                map.entries().stream()
                        .map(entry -> entry.key().text() + "=" + text(entry.value()))
                        .collect(Collectors.joining(",", "{", "}"));
            case Node.Sequence list ->
                list.items().stream().map(TomlReaderTest::text).collect(Collectors.joining(",", "[", "]"));
            case Node.Scalar scalar ->
                scalar.notation() == Node.Notation.QUOTED ? "'" + scalar.text() + "'" : scalar.text();
            case Node.Refused _ -> "refused";
        };
    }

    @Test
    void keys_are_bare_quoted_or_dotted() throws TomlException {
        assertThat(meant("key = 1\nbare_key = 2\nbare-key = 3\n1234 = 4\n"))
                .isEqualTo("{key=1,bare_key=2,bare-key=3,1234=4}");
        assertThat(meant("\"127.0.0.1\" = 1\n\"\" = 2\n'quoted \"v\"' = 3\n\"ʎǝʞ\" = 4\n"))
                .isEqualTo("{127.0.0.1=1,=2,quoted \"v\"=3,ʎǝʞ=4}");
        assertThat(
                        meant(
                                "physical.color = 'orange'\nphysical . shape = 'round'\nsite.\"google.com\" = true\n3.14159 = 'pi'"))
                .isEqualTo("{physical={color='orange',shape='round'},site={google.com=true},3={14159='pi'}}");
        assertThat(meant("fruit.apple.smooth = true\nfruit.orange = 2\n"))
                .isEqualTo("{fruit={apple={smooth=true},orange=2}}");
    }

    @Test
    void the_four_kinds_of_strings() throws TomlException {
        assertThat(meant("s = \"I'm a \\\"string\\\".\\tJos\\u00E9\\U0001F600\\\\\""))
                .isEqualTo("{s='I'm a \"string\".\tJosé😀\\'}");
        assertThat(meant("s = 'C:\\Users\\nodejs'")).isEqualTo("{s='C:\\Users\\nodejs'}");
        assertThat(meant("s = \"\"\"\nRoses\nViolets\"\"\"")).isEqualTo("{s='Roses\nViolets'}");
        assertThat(meant("s = \"\"\"\\\n       The quick \\\n\n  fox.\\\n  \"\"\""))
                .isEqualTo("{s='The quick fox.'}");
        assertThat(meant("s = '''\nThe first\n'quoted' ''two''.'''''"))
                .isEqualTo("{s='The first\n'quoted' ''two''.'''}");
        assertThat(meant("s = \"\"\"a\"\"\"\"\"")).isEqualTo("{s='a\"\"'}");
    }

    @ParameterizedTest
    @CsvSource({
        "+99, 99",
        "-17, -17",
        "0, 0",
        "1_000, 1000",
        "5_349_221, 5349221",
        "0xDEADBEEF, 3735928559",
        "0xdead_beef, 3735928559",
        "0o755, 493",
        "0b11010110, 214",
        "-9223372036854775808, -9223372036854775808",
        "3.1415, 3.1415",
        "5e+22, 5e+22",
        "-2E-2, -2e-2",
        "inf, inf",
        "true, true",
        "1979-05-27T07:32:00Z, 1979-05-27T07:32:00Z",
        "1979-05-27 07:32:00.5, 1979-05-27 07:32:00.5",
        "1979-05-27, 1979-05-27",
        "07:32:00, 07:32:00"
    })
    void numbers_truths_and_times(String written, String meant) throws TomlException {
        assertThat(meant("v = " + written + " # c\n")).isEqualTo("{v=" + meant + "}");
    }

    @Test
    void arrays_and_inline_tables() throws TomlException {
        assertThat(meant("a = [ [ 1, 2 ], [\"a\", \"b\",], # c\n  {x = 1, y.z = 'q'},\n]\nb = {}\n"))
                .isEqualTo("{a=[[1,2],['a','b'],{x=1,y={z='q'}}],b={}}");
    }

    @Test
    void tables_and_arrays_of_tables() throws TomlException {
        assertThat(meant("[x.y.z.w]\nk = 1\n[x]\nm = 2\n[ dog . \"tater.man\" ]\nt = 3\n"))
                .isEqualTo("{x={y={z={w={k=1}}},m=2},dog={tater.man={t=3}}}");
        assertThat(
                        meant(
                                "[[p]]\nname='H'\n[[p]]\n[[p]]\nname='N'\n[p.more]\na=1\n[[p.varieties]]\nn=1\n[[p.varieties]]\n"))
                .isEqualTo("{p=[{name='H'},{},{name='N',more={a=1},varieties=[{n=1},{}]}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name = 'a'\nname = 'b'",
                "spelling = 1\n\"spelling\" = 2",
                "fruit.apple = 1\nfruit.apple.smooth = true",
                "[fruit]\na = 1\n[fruit]\nb = 2",
                "[fruit]\napple = 'red'\n[fruit.apple]\ntexture = 1",
                "[fruit]\napple.color = 1\n[fruit.apple]",
                "type = { name = 'Nail' }\ntype.edible = false",
                "[product]\ntype.name = 'Nail'\ntype = { edible = false }",
                "fruits = []\n[[fruits]]",
                "[[a]]\n[a]",
                "[fruit]\n[[fruit]]"
            })
    void nothing_stands_twice_and_nothing_that_is_closed_grows(String toml) {
        assertThatThrownBy(() -> TomlReader.read(toml))
                .isInstanceOf(TomlException.class)
                .hasMessageMatching("\\d+:\\d+: .*(already|duplicate).*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key =",
                "= 1",
                "key = # no value",
                "first = 'Tom' last = 'P'",
                "k = 1 2",
                "k = \"\\q\"",
                "k = \"\\ud800\"",
                "k = \"\\U00110000\"",
                "k = 'a\nb'",
                "k = \"\"\"a",
                "k = [1, 2",
                "k = [1 2]",
                "k = {a = 1,}",
                "k = {a = 1\n}",
                "k = 01",
                "k = 1__0",
                "k = _1",
                "k = 0x",
                "k = .7",
                "k = 7.",
                "k = 3.e+20",
                "k = True",
                "k = yes",
                "k = 9223372036854775808",
                "[a",
                "[]",
                "[a]]",
                "[[a]",
                "a.. b = 1",
                "\"\"\"k\"\"\" = 1",
                "k\u0001 = 1"
            })
    void what_is_no_toml_is_one_error_with_its_place(String toml) {
        assertThatThrownBy(() -> TomlReader.read(toml))
                .isInstanceOf(TomlException.class)
                .hasMessageMatching("(?s)\\d+:\\d+: [^\n]+");
    }

    @Test
    void depth_size_and_number_are_bounded() {
        assertThatThrownBy(() -> TomlReader.read("a = " + "[".repeat(100_000))).hasMessageContaining("deeper than 32");
        assertThatThrownBy(() -> TomlReader.read("a = " + "{a=".repeat(100_000)))
                .hasMessageContaining("deeper than 32");
        assertThatThrownBy(() -> TomlReader.read("a.".repeat(100_000) + "a = 1"))
                .hasMessageContaining("deeper than 32");
        assertThatThrownBy(() -> TomlReader.read("[" + "a.".repeat(100_000) + "a]"))
                .hasMessageContaining("deeper than 32");
        assertThatThrownBy(() -> TomlReader.read("a = [" + "1,".repeat(30_000) + "]"))
                .hasMessageContaining("20000 values");
        assertThatThrownBy(() -> TomlReader.read("[[a]]\n".repeat(30_000))).hasMessageContaining("20000 values");
        assertThatThrownBy(() -> TomlReader.read("a = '" + "x".repeat(70_000) + "'"))
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> TomlReader.read("x".repeat(300) + " = 1")).hasMessageContaining("256");
        assertThatThrownBy(() -> TomlReader.read("a = " + "1".repeat(1000))).hasMessageContaining("64 characters");
    }

    @Test
    void a_place_is_a_line_and_a_column() {
        assertThatThrownBy(() -> TomlReader.read("a = 1\r\n\n[b]\n  c = oops\n"))
                .hasMessage("4:7: \"oops\" is no value");
        assertThatThrownBy(() -> TomlReader.read("a = '😀' b\n")).hasMessageStartingWith("1:9: what follows the value");
    }
}
