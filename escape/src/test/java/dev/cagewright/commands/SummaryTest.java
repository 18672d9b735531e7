package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a run is told to have come to, at its end and later, by the packaged product.
class SummaryTest {
    private final Desk desk;

    SummaryTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root.toRealPath());
    }

    @Test
    void a_run_that_is_asked_to_tells_what_it_came_to_and_tells_the_same_again()
            throws IOException, InterruptedException {
        var ran = desk.product(desk.act("run", List.of("--summary"), "wait", "0"));
        var again = desk.product("summary");

        assertThat(ran.exit()).as(ran.toString()).isZero();
        assertThat(ran.err())
                .contains("  files     1 new or changed in the workspace\n            ready\n")
                .containsPattern(
                        "  receipt   /.*/receipt\\.json\n            cagewright receipt verify [a-z2-7]{10}\n");
        assertThat(again.out().lines().skip(1).toList())
                .as(again.toString())
                .isEqualTo(ran.err()
                        .lines()
                        .dropWhile(line -> !line.startsWith("  files "))
                        .toList());
        assertThat(again.out()).startsWith("acts, act wait 0: exited 0 after ");
        var verify = ran.err().lines().toList().getLast().strip().split(" ", -1);
        assertThat(desk.product("receipt", "verify", verify[verify.length - 1]).exit())
                .isZero();
    }

    @Test
    void a_run_that_is_not_asked_to_or_that_is_quiet_tells_nothing_of_it() throws IOException, InterruptedException {
        assertThat(desk.act("exit", "0").err()).doesNotContain("  receipt");
        assertThat(desk.product(desk.act("run", List.of("-q", "--summary"), "exit", "0"))
                        .err())
                .doesNotContain("  receipt");
    }

    @Test
    void a_program_gets_it_as_members_of_the_runs_object()
            throws IOException, InterruptedException, JsonSyntaxException {
        var ran = desk.product(desk.act("run", List.of("--json", "--summary"), "wait", "0"));

        assertThat(ran.json().member("summary").orElseThrow()).isInstanceOfSatisfying(JsonObject.class, summary -> {
            assertThat(summary.text("state")).contains("exited");
            assertThat(summary.member("files").orElseThrow())
                    .isInstanceOfSatisfying(
                            JsonObject.class,
                            files -> assertThat(files.member("count")).contains(new JsonNumber("1")));
            assertThat(summary.member("receipt").orElseThrow()).isInstanceOf(JsonString.class);
        });
        assertThat(desk.product("summary", "last", "--json").json())
                .isEqualTo(ran.json().member("summary").orElseThrow());
    }

    @Test
    void a_run_on_a_copy_says_what_waits_in_it() throws IOException, InterruptedException {
        var ran = desk.product(desk.act("run", List.of("--copy", "--summary"), "wait", "0"));

        assertThat(ran.err()).as(ran.toString()).containsPattern("""
                          files     1 changed in the copy
                                    ready
                                    cagewright changes ([a-z2-7]{10}); cagewright apply \\1
                        """);
        assertThat(desk.product("changes", "last").out()).contains("added    ready\n");
        assertThat(desk.product("discard", "last").exit()).isZero();
        assertThat(desk.product("changes", "last").err()).contains("discarded");
    }

    @Test
    void a_session_that_is_not_there_is_said_to_be_none() throws IOException, InterruptedException {
        var none = desk.product("summary", "aaaaaaaaaa");

        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).contains("no session aaaaaaaaaa (cagewright ls lists them)");
    }
}
