package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyWriterTest {
    private static final List<String> ALLOWLIST = List.of("exec", "allowlist");
    private static final List<String> HOSTS = List.of("net", "hosts");

    private static String withGit(String text) throws PolicySyntaxException {
        return new PolicyWriter("p", text).withItem(ALLOWLIST, Node.text("git"));
    }

    @Test
    void an_item_joins_a_list_in_brackets() throws Exception {
        assertThat(withGit("exec:\n  allowlist: [ls]   # only these\ntool: x\n"))
                .isEqualTo("exec:\n  allowlist: [ls, git]   # only these\ntool: x\n");
        assertThat(withGit("exec: {allowlist: []}")).isEqualTo("exec: {allowlist: [git]}");
        assertThat(withGit("exec:\n  allowlist: [\n    ls, # list\n    cat # read\n  ]\n"))
                .isEqualTo("exec:\n  allowlist: [\n    ls, # list\n    cat # read\n  , git]\n");
    }

    @Test
    void an_item_joins_a_list_of_lines_and_comments_stay() throws Exception {
        assertThat(withGit("# mine\nexec:\n  allowlist:\n    - ls  # list\n\n    # the end\ntool: x\n"))
                .isEqualTo("# mine\nexec:\n  allowlist:\n    - ls  # list\n    - git\n\n    # the end\ntool: x\n");
        assertThat(withGit("exec:\n  allowlist:\n  - ls")).isEqualTo("exec:\n  allowlist:\n  - ls\n  - git\n");
        assertThat(withGit("exec:\r\n  allowlist:\r\n  - ls\r\ntool: x\r\n"))
                .isEqualTo("exec:\r\n  allowlist:\r\n  - ls\r\n  - git\r\ntool: x\r\n");
    }

    @Test
    void a_list_that_is_absent_is_made() throws Exception {
        assertThat(withGit("tool: x # name\n")).isEqualTo("tool: x # name\nexec: {allowlist: [git]}\n");
        assertThat(withGit("exec:\n  env: [LANG]\ntool: x\n"))
                .isEqualTo("exec:\n  env: [LANG]\n  allowlist: [git]\ntool: x\n");
        assertThat(withGit("{}")).isEqualTo("{\"exec\": {\"allowlist\": [\"git\"]}}");
        assertThat(withGit("exec: {}\n")).isEqualTo("exec: {allowlist: [git]}\n");
    }

    @Test
    void a_json_policy_stays_json() throws Exception {
        assertThat(withGit("{\n  \"exec\": {\"allowlist\": [\"ls\"]}\n}\n"))
                .isEqualTo("{\n  \"exec\": {\"allowlist\": [\"ls\", \"git\"]}\n}\n");
    }

    @Test
    void a_host_with_methods_and_paths_is_added_below_the_others() throws Exception {
        var item = Node.mapping("host", Node.text("b.test"))
                .and("methods", Node.list(List.of(Node.text("GET"))))
                .and("paths", Node.list(List.of(Node.text("/a/**"))));

        var text = new PolicyWriter("p", "net:\n  hosts:\n    - host: a.test\n      methods: [GET] # read\ntool: x\n")
                .withItem(HOSTS, item);

        assertThat(text).isEqualTo("""
                        net:
                          hosts:
                            - host: a.test
                              methods: [GET] # read
                            - {host: b.test, methods: [GET], paths: ["/a/**"]}
                        tool: x
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: b",
                "a #b",
                "'",
                "\"",
                "\\",
                "*a",
                "&a",
                "!a",
                "!!str a",
                "- a",
                "? a",
                "[a",
                "{a}",
                "a, b",
                "%a",
                "@a",
                "`a",
                "|",
                ">",
                "no",
                "null",
                "~",
                "1e3",
                "0755",
                "12:30",
                "true",
                "😀",
                "é",
                "#",
                "---",
                "a\\nb",
                "${X}",
                "<<",
                "=",
                "-",
                "{{x}}",
                "a\u00a0b"
            })
    void B279_any_text_is_read_back_as_itself_and_changes_nothing_else(String value) throws Exception {
        var item = Node.mapping("proc.exec", Node.mapping("names", Node.list(List.of(Node.text(value)))));

        for (String before : List.of(
                "approval:\n  require_for:\n    - http.request: {}\ntool: t\n",
                "{\"approval\": {\"require_for\": [{\"http.request\": {}}]}}")) {
            var after = new PolicyWriter("p", before).withItem(List.of("approval", "require_for"), item);

            var conditions = PolicyText.parse("p", after.getBytes(StandardCharsets.UTF_8))
                    .document()
                    .approval()
                    .orElseThrow()
                    .requireFor();
            assertThat(conditions).hasSize(2);
            assertThat(conditions.getFirst().names()).isEmpty();
            assertThat(conditions.getLast().names()).contains(List.of(value));
        }
    }

    @Test
    void B279_a_value_with_a_line_of_its_own_adds_no_key() throws Exception {
        var writer = new PolicyWriter("p", "tool: t\ncommand: [x]\n");

        assertThat(writer.withItem(List.of("command"), Node.text("a\nprivileged: true\n#")))
                .isEqualTo("tool: t\ncommand: [x, \"a\\u000aprivileged: true\\u000a#\"]\n");
        assertThat(writer.withItem(List.of("command"), Node.text("\ud83c\udff4\udb40\udc67")))
                .isEqualTo("tool: t\ncommand: [x, \"\ud83c\udff4\\U000e0067\"]\n");
    }

    @Test
    void an_item_that_the_policy_may_not_hold_is_refused_with_its_place() throws Exception {
        var writer = new PolicyWriter("p", "exec: {allowlist: [ls]}\n");

        assertThatThrownBy(() -> writer.withItem(ALLOWLIST, Node.text("rm -rf /")))
                .isInstanceOf(PolicySyntaxException.class)
                .hasMessage("p:1:24: exec.allowlist[1]: \"rm -rf /\" (expected: a program name such as git, or a"
                        + " canonical absolute path)");
    }

    @Test
    void there_is_no_place_below_what_is_no_list() throws Exception {
        var writer = new PolicyWriter("p", "tool: x\ncredentials: [{name: a, use_with: b}]\n");

        assertThatThrownBy(() -> writer.withItem(List.of("tool"), Node.text("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: tool is no list");
        assertThatThrownBy(() -> writer.withItem(List.of("tool", "deeper"), Node.text("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: tool is no mapping");
    }

    @Test
    void a_text_that_is_no_policy_is_not_edited() {
        assertThatThrownBy(() -> new PolicyWriter("p", "tool: [")).isInstanceOf(PolicySyntaxException.class);
    }

    @Test
    void an_entry_is_added_as_a_person_reads_it() throws Exception {
        var writer = new PolicyWriter("p", "# mine\nnet:\n  hosts:\n    - {host: a.test} # first\n");

        assertThat(writer.withItem("net:\n  mode: allowlist\n  hosts:\n    - {host: b.test, ports: [5432]}\n"))
                .isEqualTo("# mine\nnet:\n  hosts:\n    - {host: a.test} # first\n"
                        + "    - {host: b.test, ports: [\"5432\"]}\n".replace("\"", ""));
        assertThatThrownBy(() -> writer.withItem("net:\n  mode: allowlist\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: net.mode is no list with an entry");
        assertThatThrownBy(() -> writer.withItem("net: [")).isInstanceOf(PolicySyntaxException.class);
    }

    @Test
    void a_word_is_replaced_and_nothing_beside_it() throws Exception {
        var text = "# mode: none\nnet: {mode: none} # mode: none\nmode: enforce\n";
        var writer = new PolicyWriter("p", text);

        assertThat(writer.word(List.of("net", "mode"))).contains("none");
        assertThat(writer.withWord(List.of("net", "mode"), "allowlist"))
                .isEqualTo(text.replace("{mode: none}", "{mode: allowlist}"));
        assertThatThrownBy(() -> writer.withWord(List.of("net"), "allowlist"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: net is no single value");
        assertThatThrownBy(() -> writer.withWord(List.of("net", "mode"), "anything"))
                .isInstanceOf(PolicySyntaxException.class);
        assertThatThrownBy(() -> writer.withWord(List.of("net", "mode"), "allowlist}\nexec: {"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
