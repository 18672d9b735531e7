package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The codes of docs/exit-codes.md.
class ExitCodeTest {
    private final Desk desk;

    ExitCodeTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 7, 126, 127, 255})
    void B134_the_programs_own_code_is_passed_on(int code) throws IOException, InterruptedException {
        assertThat(desk.act("exit", String.valueOf(code)).exit()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "KILL, 137", "SEGV, 139"})
    void B134_death_by_a_signal_is_128_and_its_number(String signal, int code)
            throws IOException, InterruptedException {
        var result = desk.act("kill", signal);

        assertThat(result.exit()).isEqualTo(code);
        assertThat(result.err()).contains("killed by signal " + (code - 128));
    }

    @Test
    void B134_a_trap_that_ends_with_seven_is_seven() throws IOException, InterruptedException {
        var result = desk.shell("""
                "$0" run -q --policy "$1" -- "$2" trap &
                until [ -e ready ]; do :; done
                kill -TERM $!
                wait $!
                """, desk.policy(), desk.act());

        assertThat(result.exit()).as(result.toString()).isEqualTo(7);
        assertThat(result.out()).contains("trapped");
    }

    @Test
    void B134_the_clock_is_124_and_json_tells_it_from_a_program_that_ends_so()
            throws IOException, InterruptedException, JsonSyntaxException {
        var short1 = desk.policy("short.yaml", "workspace", "1s", "1MiB");
        var timeout = desk.product("run", "--json", "--policy", short1, "--", desk.act(), "wait", "20");
        var own = desk.product(desk.act("run", List.of("--json"), "exit", "124"));

        assertThat(timeout.exit()).isEqualTo(124);
        assertThat(own.exit()).isEqualTo(124);
        assertThat(timeout.out()).contains("\"cause\":\"timeout\"");
        assertThat(own.out()).contains("\"cause\":\"exited\"").contains("\"exit\":124");
    }

    @Test
    void refusals_have_codes_of_their_own() throws IOException, InterruptedException {
        assertThat(desk.product("run", "--policy", desk.policy(), "--", "git").exit())
                .as("no rule")
                .isEqualTo(4);
        assertThat(desk.product("run", "--policy", desk.policy(), "--", "sh", "-c", ":")
                        .exit())
                .as("forbidden")
                .isEqualTo(5);
        assertThat(desk.product("run", "--bogus").exit()).as("usage").isEqualTo(2);
        assertThat(desk.product("bogus").exit()).as("usage").isEqualTo(2);
        assertThat(desk.product("run", "--policy", desk.policy()).exit())
                .as("no program")
                .isEqualTo(2);
    }

    @Test
    void a_missing_program_is_127_one_that_cannot_be_executed_126_and_a_missing_workspace_125()
            throws IOException, InterruptedException {
        var free = desk.write("free.yaml", "tool: free\nnet: {mode: none}\n");
        Files.writeString(desk.workspace().resolve("plain"), "text");
        Files.setPosixFilePermissions(desk.workspace().resolve("plain"), PosixFilePermissions.fromString("rwxr-xr-x"));
        var listed = desk.write(
                "listed.yaml",
                "tool: listed\nfs: {mounts: [{path: /workspace, mode: ro}]}\nexec: {allowlist: [\""
                        + desk.workspace().resolve("plain") + "\", ls]}\n");

        assertThat(desk.product("run", "--policy", free, "--", "no-such-program")
                        .exit())
                .isEqualTo(127);
        assertThat(desk.product(
                                "run",
                                "--policy",
                                listed,
                                "--",
                                desk.workspace().resolve("plain").toString())
                        .exit())
                .isEqualTo(126);
        assertThat(desk.product("run", "--policy", desk.policy(), "--workspace", "/no/such/folder", "--", "ls")
                        .exit())
                .isEqualTo(125);
    }

    @Test
    void B264_a_pipe_that_fails_and_a_reader_that_left_do_not_hide_the_code() throws IOException, InterruptedException {
        var pipe = desk.shell(
                "set -o pipefail; \"$0\" run -q --policy \"$1\" -- \"$2\" exit 1 | cat", desk.policy(), desk.act());
        var left = desk.shell(
                "\"$0\" run -q --policy \"$1\" -- \"$2\" flood | head -c 1 >/dev/null; exit \"${PIPESTATUS[0]}\"",
                desk.policy(),
                desk.act());
        var closed = desk.shell("\"$0\" run -q --policy \"$1\" -- \"$2\" exit 7 >&-", desk.policy(), desk.act());

        assertThat(pipe.exit()).as(pipe.toString()).isEqualTo(1);
        assertThat(left.exit()).as(left.toString()).isEqualTo(5);
        assertThat(closed.exit()).as(closed.toString()).isEqualTo(7);
    }

    @Test
    void B264_json_carries_the_code() throws IOException, InterruptedException, JsonSyntaxException {
        var result = desk.product(desk.act("run", List.of("--json"), "exit", "1"));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().write()).contains("\"exit\":1").contains("\"recorded\":true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"})
    void B264_a_stream_that_the_caller_closed_is_empty_and_no_file_of_the_products(String closed)
            throws IOException, InterruptedException {
        var result = desk.shell("\"$0\" run -q --policy \"$1\" -- cat " + closed, desk.policy());

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.outBytes()).as("what cat read of its input").isEmpty();
        assertThat(desk.product("audit", "verify").exit())
                .as("the log has nothing of its output")
                .isZero();
    }
}
