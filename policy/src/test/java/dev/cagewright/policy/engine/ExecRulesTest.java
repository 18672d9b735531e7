package dev.cagewright.policy.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.ApprovalSection.Condition;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecRulesTest {

    /// The example that introduces the policy file: an updater with a copied workspace and two destinations.
    private static CompiledPolicy updater() {
        return new Draft()
                .isolation(Isolation.MICROVM)
                .mounts("/workspace rw session-copy", "/opt/data ro /srv/data")
                .hide("/workspace/private", "**/.env")
                .reach(NetSection.Reach.ALLOWLIST)
                .hosts(
                        Draft.rule("GET registry.example.org"),
                        Draft.alias("github", "GET,POST", "/repos/acme/app/**"),
                        Draft.tcp("db.internal", 5432))
                .credentials(Draft.secret("github_token", "github"))
                .programs("dependency-updater", "git", "python3", "node")
                .approval(Draft.asking(new Condition(
                        "http.request",
                        Optional.of(List.of("POST")),
                        Optional.of(List.of("github")),
                        Optional.empty(),
                        Optional.empty())))
                .compile();
    }

    private static Action.ProcExec exec(String... argv) {
        return new Action.ProcExec(Arrays.stream(argv).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    private static String told(Decision decision) {
        return switch (decision) {
            case Decision.Allow(var because, var _) -> "allow " + because.getFirst();
            case Decision.Ask(var because, var patience) -> "ask " + because.getFirst() + " " + patience;
            case Decision.Deny(var because, DenyCode code, var _) -> code + " " + because.getFirst();
        };
    }

    @Test
    void code_in_arguments_is_denied_before_the_allowlist_and_named() {
        assertThat(updater().judge(exec("sh", "-c", "echo pwned")))
                .isEqualTo(new Decision.Deny(Rules.SHELL, DenyCode.SHELL, "argv[1]: sh takes a command string (-c)"));
        assertThat(told(updater().judge(exec("python3", "-c", "x")))).isEqualTo("SHELL deny:shell");
        assertThat(told(updater().judge(exec("python3", "s.py", "-c", "x")))).isEqualTo("allow exec.allowlist");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git",
                "/usr/bin/git",
                "/bin/git",
                "/usr/local/bin/git",
                "python3",
                "python3.12",
                "/usr/bin/python3.11",
                "python3.13t",
                "node"
            })
    void B170_a_listed_name_is_that_program_on_the_fixed_path(String name) {
        assertThat(told(updater().judge(exec(name, "x")))).isEqualTo("allow exec.allowlist");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git-evil",
                "gitk",
                "GIT",
                "git2",
                "git2.39",
                "/opt/git",
                "/usr/bin/x/git",
                "/usr/lib/git-core/git",
                "python2",
                "python",
                "python30",
                "python3-config",
                "python3evil",
                "pip3",
                "nodejs",
                "gi",
                "rm"
            })
    void B170_a_longer_name_another_case_or_another_place_is_another_program(String name) {
        assertThat(told(updater().judge(exec(name, "x")))).isEqualTo("NO_RULE exec.allowlist");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git ",
                " git",
                "git\u200b",
                "git\n",
                "git\t",
                "\u00a0git",
                "g\u00adit",
                "git\ufe0f",
                "git\u3164",
                "git\u202e",
                "./git",
                "../git",
                "bin/git",
                "/workspace/bin/git",
                "/workspace/../workspace/bin/git",
                "/tmp/git",
                "/home/me/git",
                "//usr/bin/git",
                "/usr/bin/../bin/git"
            })
    void B170_a_name_that_is_not_what_it_seems_is_forbidden_with_or_without_a_list(String name) {
        assertThat(told(updater().judge(exec(name, "x")))).isEqualTo("FORBIDDEN deny:program-name");
        var unlisted = new Draft().mounts("/workspace rw session-copy").compile();
        assertThat(told(unlisted.judge(exec(name, "x")))).isEqualTo("FORBIDDEN deny:program-name");
        assertThat(told(unlisted.judge(exec("git", "x")))).isEqualTo("allow exec:any");
    }

    @Test
    void B170_a_name_in_bytes_that_are_no_text_is_forbidden() {
        var bytes = new Action.ProcExec(
                List.of(ByteString.copyOf(new byte[] {'g', 'i', 't', (byte) 0xff})), new GuestPath("/"));
        assertThat(told(updater().judge(bytes))).isEqualTo("FORBIDDEN deny:program-name");
    }

    @Test
    void a_path_that_the_list_spells_out_may_lie_anywhere() {
        var policy = new Draft()
                .mounts("/workspace rw session-copy")
                .programs("/workspace/a.out", "make")
                .compile();
        assertThat(told(policy.judge(exec("/workspace/a.out")))).isEqualTo("allow exec.allowlist");
        assertThat(told(policy.judge(exec("/workspace/b.out")))).isEqualTo("FORBIDDEN deny:program-name");
        assertThat(told(policy.judge(exec("make")))).isEqualTo("allow exec.allowlist");
    }

    @Test
    void every_program_that_a_list_starts_has_to_be_allowed() {
        var policy = new Draft().programs("env", "git", "find").compile();
        assertThat(told(policy.judge(exec("env", "A=1", "git", "status")))).isEqualTo("allow exec.allowlist");
        assertThat(policy.judge(exec("env", "A=1", "rm", "x")))
                .isEqualTo(new Decision.Deny(
                        List.of(Rules.ALLOWLIST, Rules.DEFAULT),
                        DenyCode.NO_RULE,
                        "argv[2]: rm is not on exec.allowlist"));
        assertThat(told(policy.judge(exec("find", ".", "-exec", "git", "add", "{}", ";", "-exec", "rm", "{}", "+"))))
                .isEqualTo("NO_RULE exec.allowlist");
    }

    @Test
    void an_empty_list_lets_nothing_start_and_no_list_anything() {
        assertThat(told(new Draft().programs().compile().judge(exec("true")))).isEqualTo("NO_RULE exec.allowlist");
        assertThat(told(new Draft().compile().judge(exec("true")))).isEqualTo("allow exec:any");
        assertThat(told(new Draft().compile().judge(exec("awk", "1")))).isEqualTo("SHELL deny:shell");
    }

    @Test
    void B171_a_name_that_begins_with_a_dash_or_is_empty_is_no_action() {
        assertThatThrownBy(() -> exec("--bind", "/", "/host"))
                .hasMessageContaining(
                        "argv[0]: --bind (expected: a program; one that starts with '-' reads as an option)");
        assertThatThrownBy(() -> exec("")).hasMessageContaining("argv: no program");
        assertThatThrownBy(() -> exec("--", "id")).hasMessageContaining("argv[0]: --");
        assertThatThrownBy(() -> new Draft().mounts("/x ro -x"))
                .hasMessageContaining("source: \"-x\" (expected: session-copy, tmpfs, or an absolute host path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "LD_AUDIT",
                "PATH",
                "GLIBC_TUNABLES",
                "BASH_ENV",
                "PYTHONSTARTUP",
                "PYTHONPATH",
                "PERL5OPT",
                "RUBYOPT",
                "NODE_OPTIONS",
                "JAVA_TOOL_OPTIONS",
                "GIT_CONFIG_COUNT",
                "GIT_SSH_COMMAND",
                "GIT_EXTERNAL_DIFF",
                "MAVEN_OPTS",
                "PAGER",
                "EDITOR",
                "HTTPS_PROXY",
                "SSL_CERT_FILE"
            })
    void B167_a_variable_that_decides_what_runs_cannot_be_let_through(String name) {
        assertThatThrownBy(() -> new Draft().variables(name).document())
                .hasMessage("exec.env: \"" + name + "\" (expected: a variable that does not decide which code runs)");
        assertThat(new Draft().variables("LANG", "TZ", "MY_SETTING").document().exec())
                .isPresent();
        assertThat(PolicyDocument.EMPTY.exec()).isEmpty();
    }
}
