package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run leaves: in the log, in the workspace, among the processes; and which policy it was under.
class RecordTest {
    private final Desk desk;

    RecordTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @Test
    void a_run_in_the_home_directory_leaves_nothing_that_stops_the_next_one() throws IOException, InterruptedException {
        var home = desk.workspace();
        var person = desk.with("HOME", home.toString())
                .with("XDG_CONFIG_HOME", home.resolve(".config").toString())
                .with("XDG_STATE_HOME", home.resolve(".local/state").toString());

        var first = person.product("run", "--", "true");
        var second = person.product("run", "--", "true");

        assertThat(first.exit()).as("%s", first).isZero();
        assertThat(second.exit()).as("%s", second).isZero();
        assertThat(home.resolve(".config/cagewright/policies")).doesNotExist();
    }

    @Test
    void B264_an_outcome_that_cannot_be_written_is_told_and_the_programs_code_survives()
            throws IOException, InterruptedException {
        var result = desk.shell("""
                "$0" run --policy "$1" -- "$2" deaf &
                until [ -e ready ]; do :; done
                "$0" panic --reason drill >&2 || exit 99
                : > go
                wait $!
                """, desk.policy(), desk.act());

        assertThat(result.exit()).as(result.toString()).isEqualTo(9);
        assertThat(result.err()).contains("unrecorded: ").contains("frozen");
        assertThat(desk.act("exit", "0").exit())
                .as("nothing runs under a frozen log")
                .isEqualTo(5);
    }

    @Test
    void a_dry_run_decides_and_acts_on_nothing() throws IOException, InterruptedException {
        var before = names(desk.workspace());
        var allowed = desk.product(desk.act("run", List.of("--dry-run"), "wait", "1"));
        var denied = desk.product("run", "--dry-run", "--policy", desk.policy(), "--", "git");

        assertThat(allowed.exit()).as(allowed.toString()).isZero();
        assertThat(allowed.err()).contains("would be allowed");
        assertThat(denied.exit()).isEqualTo(4);
        assertThat(denied.err()).contains("would be denied");
        assertThat(names(desk.workspace())).isEqualTo(before);
        assertThat(desk.product("audit", "events").out()).doesNotContain("proc.exec");
        assertThat(desk.product("ls", "--json").out().strip()).isEqualTo("[]");
    }

    @Test
    void running_without_a_cage_is_recorded_by_its_rule() throws IOException, InterruptedException {
        var plain = desk.write(
                "plain.yaml",
                "tool: plain\nmin_isolation: process\nfs: {mounts: [{path: /workspace, mode: rw}]}\nexec: {allowlist: [ls]}\n");
        var result = desk.product("run", "--unsafe-no-isolation", "--policy", plain, "--", "ls");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.err()).contains("isolation:unisolated");
        assertThat(desk.product("audit", "events").out()).contains("rule=isolation:unisolated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tier1", "tier2", "gvisor", "microvm", "firecracker"})
    void a_policy_that_asks_for_more_is_refused_never_weakened(String level) throws IOException, InterruptedException {
        var policy = desk.write(
                "strong.yaml",
                "tool: strong\nmin_isolation: " + level
                        + "\nfs: {mounts: [{path: /workspace, mode: rw}]}\nexec: {allowlist: [ls]}\n");
        var unsafe = desk.product("run", "--unsafe-no-isolation", "--policy", policy, "--", "ls");
        var plain = desk.product("run", "--policy", policy, "--", "ls");

        for (Desk.Result result : List.of(unsafe, plain)) {
            assertThat(result.exit()).as(result.toString()).isEqualTo(5);
            assertThat(result.err()).contains("isolation:unavailable");
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void the_demo_tells_its_story_and_ends_well() throws IOException, InterruptedException {
        var result = desk.product("demo");

        assertThat(result.exit()).as(result.toString()).isZero();
        assertThat(result.out() + result.err()).contains("deny:shell", "broken", "frozen");
    }

    @Test
    void two_runs_at_once_in_one_workspace_leave_no_litter() throws IOException, InterruptedException {
        Files.createDirectories(desk.workspace().resolve(".git/hooks"));
        Files.writeString(desk.workspace().resolve(".git/HEAD"), "ref: refs/heads/main\n");
        var before = names(desk.workspace());
        var result = desk.shell("""
                for i in 1 2 3; do "$0" run -q --policy "$1" -- "$2" exit 7 & jobs="$jobs $!"; done
                for job in $jobs; do wait $job; echo $?; done
                """, desk.policy(), desk.act());

        assertThat(result.out().lines()).as(result.toString()).containsExactly("7", "7", "7");
        assertThat(names(desk.workspace())).isEqualTo(before);
        assertThat(desk.product("audit", "verify").exit()).isZero();
    }

    @Test
    void a_run_in_progress_is_shown_as_running_and_not_told_as_interrupted() throws IOException, InterruptedException {
        var result = desk.shell("""
                "$0" run -q --policy "$1" -- "$2" deaf &
                until [ -e ready ]; do :; done
                "$0" ls
                "$0" run -q --policy "$1" -- "$2" exit 4
                echo $?
                : > go
                wait $!
                echo $?
                """, desk.policy(), desk.act());

        assertThat(result.out()).as(result.toString()).contains("running").endsWith("4\n9\n");
        assertThat(result.err()).doesNotContain("interrupted");
    }

    @Test
    void a_killed_product_leaves_no_process_and_the_next_run_cleans_up() throws IOException, InterruptedException {
        Files.createDirectories(desk.workspace().resolve(".git/hooks"));
        var before = names(desk.workspace());
        var length = "3" + ProcessHandle.current().pid() % 100_000;
        var result = desk.shell("""
                "$0" run -q --policy "$1" -- "$2" wait "$3" >/dev/null 2>&1 &
                until [ -e ready ]; do :; done
                kill -KILL $!
                wait $!
                i=0
                while pgrep -fx "sleep $3" >/dev/null && [ $i -lt 3000 ]; do i=$((i + 1)); done
                pgrep -fx "sleep $3"
                rm ready
                """, desk.policy(), desk.act(), length);

        assertThat(result.out()).as("processes left").isEmpty();
        assertThat(desk.product("ls").out()).containsPattern("interrupted +- ").doesNotContain("running");
        var next = desk.act("exit", "3");
        assertThat(next.exit()).isEqualTo(3);
        assertThat(next.err()).contains("interrupted: ", " wait " + length);
        assertThat(desk.act("exit", "3").err()).as("told once").doesNotContain("interrupted");
        assertThat(names(desk.workspace())).isEqualTo(before);
        assertThat(desk.product("audit", "verify").exit()).isZero();
    }

    @Test
    void B258_a_project_policy_only_narrows_the_persons_and_explain_says_where_each_value_stands()
            throws IOException, InterruptedException {
        var user = desk.write(
                "config/cagewright/policy.yaml",
                "tool: mine\nfs: {mounts: [{path: /workspace, mode: rw}]}\nexec: {allowlist: [\"" + desk.act()
                        + "\", sleep]}\nresources:\n  timeout: 2s\n");
        var explained = desk.product("policy", "explain", "--policy", desk.policy());

        assertThat(explained.exit()).as(explained.toString()).isZero();
        assertThat(explained.out()).containsPattern("(?m)^resources.timeout: .*2.*\n +" + user + ":5");
        assertThat(desk.act("wait", "20").exit())
                .as("the person's timeout holds")
                .isEqualTo(124);
        assertThat(desk.product("run", "--policy", desk.policy(), "--", "ls").exit())
                .as("ls is on the project's list only")
                .isIn(4, 5);
        Files.writeString(Path.of(user), Files.readString(Path.of(user)).replace("timeout: 2s", "timeout: 20s"));
        assertThat(desk.act("exit", "7").exit()).as("on both lists").isEqualTo(7);
    }

    @Test
    void explain_shows_the_file_and_line_of_every_rule() throws IOException, InterruptedException {
        var result = desk.product("policy", "explain", "--policy", desk.policy());

        assertThat(result.out()).contains(desk.policy() + ":7:", desk.policy() + ":8:", "exec.allowlist");
    }

    private static SortedSet<String> names(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return new TreeSet<>(all.map(path -> folder.relativize(path).toString())
                    .filter(name -> !name.equals("ready"))
                    .toList());
        }
    }
}
