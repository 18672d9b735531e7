package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is printed: whole, cut, escaped, as JSON.
class OutputTest {
    /// CSI, OSC 52, a bell, a carriage return, C1, a bidirectional override, and a line that looks like an event.
    private static final String HOSTILE = "\033[2J\033]52;c;QQ==\007\r\u009b31m\u202e\u2028\n{\"seq\":99}";

    private final Desk desk;

    OutputTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @Test
    void B139_output_beyond_the_limit_is_drained_and_marked()
            throws IOException, InterruptedException, JsonSyntaxException {
        var result = desk.product(desk.act("run", List.of("--json"), "flood"));
        var text = desk.act("flood");

        assertThat(result.exit()).isEqualTo(5);
        assertThat(result.json().write())
                .contains("\"truncated\":true", "\"out_bytes\":1500000", "\"err_bytes\":1500000");
        assertThat(text.exit()).isEqualTo(5);
        assertThat(text.outBytes().length).isLessThanOrEqualTo(1 << 20);
        assertThat(text.err()).contains("output cut: 3000000 bytes were written");
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 1026, 1027})
    void B141_a_cut_at_any_offset_of_a_letter_leaves_valid_json(int limit)
            throws IOException, InterruptedException, JsonSyntaxException {
        var policy = desk.policy("small.yaml", "workspace", "30s", limit + "B");
        var result = desk.product("run", "--json", "--policy", policy, "--", desk.act(), "text", "a€😀");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.json().write()).contains("\"truncated\":true", "\"out_bytes\":3200");
    }

    @Test
    void B141_bytes_that_are_no_text_stay_exact_in_json()
            throws IOException, InterruptedException, JsonSyntaxException {
        var result = desk.shell(
                "\"$0\" run --json --policy \"$1\" -- \"$2\" say $'a\\xff\\xc3\\xef\\xbb\\xbf'",
                desk.policy(),
                desk.act());

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.json().member("stdout").orElseThrow().toString()).contains("Yf/D77u/");
    }

    @Test
    void B200_B201_hostile_words_never_reach_a_text_view_as_they_are() throws IOException, InterruptedException {
        desk.act("exit", HOSTILE);
        var views = List.of(
                desk.product("run", "--policy", desk.policy(), "--", "x" + HOSTILE, HOSTILE),
                desk.product("run", "--policy", desk.policy(), "--", "sh", "-c", HOSTILE),
                desk.product("run", "--policy", "./" + HOSTILE, "--", "ls"),
                desk.product("run", "--policy", desk.policy(), "--workspace", "w" + HOSTILE, "--", "ls"),
                desk.product("run", "--bogus" + HOSTILE),
                desk.product("run", "--tier", HOSTILE, "--", "ls"),
                desk.product("bogus" + HOSTILE),
                desk.product("why", "x" + HOSTILE),
                desk.product("audit", "events"),
                desk.product("audit", "events", "--limit", HOSTILE),
                desk.product("audit", "verify", "--log", "x" + HOSTILE),
                desk.product("audit", "verify", "--pubkey", "x" + HOSTILE),
                desk.product("policy", "validate", "./x" + HOSTILE),
                desk.product("policy", "init", "x" + HOSTILE),
                desk.product("policy", "explain", "--policy", desk.policy(), "--", "x" + HOSTILE),
                desk.product("policy", "explain", "--policy", desk.policy(), "--read", "/x" + HOSTILE),
                desk.product("check-net", "--policy", desk.policy(), "--host", "x" + HOSTILE),
                desk.product("check-net", "--policy", desk.policy(), "--host", "x.test", "--path", "/x" + HOSTILE),
                desk.product("ls"));

        for (Desk.Result view : views) {
            assertThat(view.err() + view.out())
                    .as(view.toString())
                    .isNotEmpty()
                    .doesNotContain("\033", "\007", "\r", "\u009b", "\u202e", "\u2028");
            assertThat((view.err() + view.out()).lines()).noneMatch(line -> line.startsWith("{\"seq\":99}"));
        }
    }

    @Test
    void B201_one_event_is_one_line_and_the_words_are_exact_in_json()
            throws IOException, InterruptedException, JsonSyntaxException {
        desk.act("exit", "0", HOSTILE);
        var lines = Files.readAllLines(desk.log(), StandardCharsets.UTF_8);

        assertThat(lines)
                .as("the log's begin, the intent, the outcome, the receipt")
                .hasSize(4);
        for (String line : lines) {
            Json.parse(line);
        }
        assertThat(lines.get(1).codePoints()).noneMatch(point -> point < 0x20 || point == 0x2028);
        assertThat(desk.product("audit", "verify").exit()).isZero();
        assertThat(Json.parse(lines.get(1)).toString())
                .as("exact when read back")
                .contains(HOSTILE);
    }

    @Test
    void B206_a_long_refusal_is_whole_in_json_and_keeps_both_ends_in_text()
            throws IOException, InterruptedException, JsonSyntaxException {
        var word = "start-" + "x".repeat(3000) + "-end";
        var text = desk.product("run", "--policy", desk.policy(), "--", "git", word);
        var json = desk.product("run", "--json", "--policy", desk.policy(), "--", "git", word);

        assertThat(text.err()).contains("start-xx", "-end", "exec.allowlist", "- git");
        assertThat(text.err().length()).isLessThan(2000);
        assertThat(json.json().write()).contains(word, "exec.allowlist", "git");
    }

    @ParameterizedTest
    @ValueSource(ints = {78, 79})
    void B207_shortening_never_cuts_a_letter(int letters) throws IOException, InterruptedException {
        var word = "x".repeat(letters) + "😀".repeat(300);
        var views = List.of(
                desk.product("run", "--policy", desk.policy(), "--", "git", word),
                desk.product("run", "--policy", "./" + "x".repeat(letters) + "😀".repeat(40), "--", "git"),
                desk.product("policy", "explain", "--policy", desk.policy(), "--read", "/" + word),
                desk.product("ls"));

        for (Desk.Result view : views) {
            assertThat(view.err() + view.out())
                    .as(view.toString())
                    .contains("x")
                    .doesNotContain("Exception", "internal error", "\ufffd");
        }
    }

    @Test
    void every_command_with_json_prints_valid_json() throws IOException, InterruptedException, JsonSyntaxException {
        var id = desk.product(desk.act("run", List.of("--json"), "exit", "0"));
        var decision = id.json().write().replaceFirst(".*\"id\":\"([a-z0-9]+-1)\".*", "$1");
        var other = desk.policy("other.yaml", "workspace", "9s", "2MiB");
        var commands = List.of(
                List.of("ls", "--json"),
                List.of("why", decision, "--json"),
                List.of("audit", "verify", "--json"),
                List.of("doctor", "--json"),
                List.of("version", "--json"),
                List.of("policy", "validate", "--json", desk.policy()),
                List.of("policy", "explain", "--json", "--policy", desk.policy()),
                List.of("policy", "explain", "--json", "--policy", desk.policy(), "--", "git"),
                List.of("check-net", "--json", "--policy", desk.policy(), "--host", "a.test"),
                List.of("policy", "diff", "--json", desk.policy(), other),
                List.of("policy", "schema"),
                List.of("run", "--json", "--dry-run", "--policy", desk.policy(), "--", "git"),
                List.of("run", "--json", "--policy", desk.policy(), "--", "git"));

        assertThat(decision).matches("[a-z0-9]+-1");
        for (List<String> command : commands) {
            var result = desk.product(command);
            assertThat(result.outBytes()).as(command + "\n" + result).isNotEmpty();
            Json.parse(result.outBytes());
        }
        for (String line : desk.product("audit", "events", "--json").out().split("\n", -1)) {
            if (!line.isEmpty()) {
                Json.parse(line);
            }
        }
    }

    @Test
    void help_and_messages_fit_eighty_columns() throws IOException, InterruptedException {
        var commands = List.of(
                List.of("--help"),
                List.of("run", "--help"),
                List.of("policy", "--help"),
                List.of("policy", "validate", "--help"),
                List.of("policy", "explain", "--help"),
                List.of("check-net", "--help"),
                List.of("policy", "diff", "--help"),
                List.of("policy", "init", "--help"),
                List.of("doctor", "--help"),
                List.of("doctor"),
                List.of("audit", "--help"),
                List.of("audit", "verify", "--help"),
                List.of("audit", "events", "--help"),
                List.of("why", "--help"),
                List.of("ls", "--help"),
                List.of("panic", "--help"),
                List.of("demo", "--help"),
                List.of("version"),
                List.of("run", "--policy", desk.policy(), "--", "git", "status"),
                List.of("run", "--policy", desk.policy(), "--", "sh", "-c", "echo " + "word ".repeat(40)));

        for (List<String> command : commands) {
            var result = desk.product(command);
            assertThat((result.out() + result.err()).lines())
                    .as(command.toString())
                    .isNotEmpty()
                    .allMatch(
                            line -> line.codePointCount(0, line.length()) <= 80
                                    || !line.strip().contains(" "),
                            "80 columns, or one word that cannot be broken");
        }
    }

    @Test
    void the_completion_script_is_one_that_bash_reads() throws IOException, InterruptedException {
        var result = desk.shell("\"$0\" completion > script && bash -n script && . ./script && complete -p cagewright");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out()).contains("complete");
    }
}
