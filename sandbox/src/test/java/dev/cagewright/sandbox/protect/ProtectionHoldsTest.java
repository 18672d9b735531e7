package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.conformance.Ran;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.programs.ExecClosure;
import dev.cagewright.sandbox.programs.Programs;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Plan, placeholders, a real cage, report: what a workload cannot do and what it still can.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProtectionHoldsTest {
    @TempDir
    private Path folder;

    private NamespacesRuntime runtime;

    @BeforeAll
    void start() throws ConfinementException {
        runtime = NamespacesRuntime.start();
    }

    @AfterAll
    void stop() {
        runtime.close();
    }

    private Workspaces here() {
        return new Workspaces(folder);
    }

    /// What one session said, and what it left.
    private record Session(Ran ran, AfterRun after) {}

    private Session run(String script, String... hide) throws IOException, InterruptedException {
        var placeholders = new Placeholders(folder.resolve("state/placeholders"));
        var plan = here().scan(hide);
        var held = placeholders.create("s-1", plan);
        var started = Instant.now();
        Ran ran;
        try (var cage = runtime.create(spec().withMasks(held.masks()))) {
            ran = Ran.script(cage, here().workspace().toString(), script);
        } catch (ConfinementException e) {
            throw new AssertionError(e.getMessage(), e);
        } finally {
            placeholders.remove("s-1");
        }
        return new Session(ran, AfterRun.report(plan, held, started, folder.resolve("state/quarantine")));
    }

    private CageSpec spec() throws IOException, ConfinementException {
        var workspace = HostDirectory.open(ByteString.of(here().workspace().toString()), Access.READ_WRITE);
        return CageSpec.of("protect", workspace);
    }

    /// A script whose every line is tried on its own; what works is printed.
    private static String tries(String... attempts) {
        var script = new StringBuilder();
        for (int i = 0; i < attempts.length; i++) {
            script.append("(")
                    .append(attempts[i])
                    .append(") >/dev/null 2>&1 && echo worked ")
                    .append(i + 1)
                    .append('\n');
        }
        return script.append("exit 0\n").toString();
    }

    @Test
    void B108_no_spelling_puts_a_hook_into_the_repository() throws IOException, InterruptedException {
        here().git("", "init", "-q");

        var session = run(tries(
                "echo evil > .git/hooks/pre-commit",
                "echo evil > .git/x && mv .git/x .git/hooks/pre-commit",
                "ln -s /tmp/evil .git/hooks/pre-commit",
                "echo evil > .git/y && ln .git/y .git/hooks/pre-commit",
                "mkdir h && mv .git/hooks old && mv h .git/hooks",
                "rm -rf .git/hooks && mkdir .git/hooks",
                "mv .git .gone",
                "echo '[core] hooksPath=/tmp' >> .git/config",
                "mv .git/config .git/config.old",
                "echo ../evil > .git/commondir",
                "rm -f .git/commondir && echo ../evil > .git/commondir",
                "mkdir .git/commondir",
                "chmod 777 .git/hooks",
                "mknod .git/hooks/p p"));

        assertThat(session.ran().out()).isEmpty();
        assertThat(session.ran().exit().status()).isZero();
        assertThat(here().workspace().resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(here().git("", "status", "--short")).doesNotContain(".git");
    }

    @Test
    void B108_git_itself_still_works_in_the_cage() throws IOException, InterruptedException {
        here().git("", "init", "-q");

        var session = run("set -e; export HOME=/tmp; echo a > a.txt; git add a.txt;"
                + " git -c user.name=a -c user.email=a@b.test commit -qm one; git branch side; git gc -q;"
                + " git checkout -q side; git log --oneline | wc -l");

        assertThat(session.ran().err()).isEmpty();
        assertThat(session.ran().out()).isEqualTo("1\n");
        assertThat(here().git("", "log", "--format=%s", "side")).isEqualTo("one\n");
        assertThat(session.after().findings()).isEmpty();
    }

    @Test
    void B109_moving_a_parent_does_not_take_the_protection_away() throws IOException, InterruptedException {
        here().write("a/b/.env", "SECRET=1");

        var session = run(
                tries(
                        "mv a c",
                        "mv a/b a/c",
                        "cat a/b/.env | grep SECRET",
                        "cp a/b/.env /tmp/x && grep SECRET /tmp/x",
                        "echo x > a/b/.env",
                        "rm a/b/.env",
                        "echo fine > a/b/other"),
                ".env");

        assertThat(session.ran().out()).isEqualTo("worked 7\n");
        assertThat(here().workspace().resolve("a/b/.env")).hasContent("SECRET=1");
    }

    @Test
    void B114_absent_names_cannot_come_into_being_and_nothing_is_left() throws IOException, InterruptedException {
        here().write("src/a", "a");
        var before = here().inventory();

        var session = run(tries(
                "echo '{}' > .mcp.json",
                "mkdir -p .claude && echo '{}' > .claude/settings.json",
                "rmdir .claude",
                "rm -rf .vscode && mkdir .vscode && echo 1 > .vscode/tasks.json",
                "mv .idea .x",
                "echo evil > .envrc",
                "ln -sf /tmp/evil .cursor/rules",
                "mv src .envrc"));

        assertThat(session.ran().out()).isEmpty();
        assertThat(here().inventory()).isEqualTo(before);
        assertThat(session.after().findings()).isEmpty();
    }

    @Test
    void a_new_repository_can_be_made_and_its_hooks_are_taken_out_and_told() throws IOException, InterruptedException {
        var session = run("export HOME=/tmp; git init -q . && echo evil > .git/hooks/post-checkout && echo done");

        assertThat(session.ran().out()).isEqualTo("done\n");
        assertThat(session.after().findings())
                .extracting(AfterRun.Finding::line)
                .containsExactly(".git: is a new repository; taken out of it: the hook post-checkout (now"
                        + " post-checkout.taken-out)");
    }

    @Test
    void B105_every_kind_of_protected_object_lets_the_cage_start_and_stays_what_it_is()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().write(".claude/settings.json", "{}");
        here().write("shared/zed/settings.json", "{}");
        here().link(".zed", "shared/zed");
        here().link(".vscode", "/nonexistent/place");
        here().link(".cursor", "loop");
        here().link("loop", ".cursor");
        new ProcessBuilder("mkfifo", here().workspace().resolve(".envrc").toString())
                .start()
                .waitFor();
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(here().workspace().resolve("agent.sock")));

            var session = run(tries(
                    "echo x > .claude/settings.json",
                    "echo x > .zed/settings.json",
                    "rm .zed",
                    "mv .zed .zed2",
                    "ln -sfn /tmp .zed",
                    "rm .vscode && mkdir .vscode",
                    "rm .cursor",
                    "mv shared shared2",
                    "rm .envrc",
                    "test -S agent.sock",
                    "cat .claude/settings.json && cat .zed/settings.json"));

            assertThat(session.ran().err()).isEmpty();
            assertThat(session.ran().out()).isEqualTo("worked 11\n");
            assertThat(Files.isSymbolicLink(here().workspace().resolve(".zed"))).isTrue();
            assertThat(Files.isSymbolicLink(here().workspace().resolve(".vscode")))
                    .isTrue();
            assertThat(Files.exists(here().workspace().resolve("agent.sock"), LinkOption.NOFOLLOW_LINKS))
                    .isTrue();
        }
    }

    @Test
    void B113_a_hooks_folder_elsewhere_cannot_be_written_or_made() throws IOException, InterruptedException {
        here().git("", "init", "-q", "a");
        here().git("a", "config", "core.hooksPath", ".githooks");
        here().write("a/.githooks/pre-commit", "#!/bin/sh\n");
        here().git("", "init", "-q", "b");
        here().git("b", "config", "core.hooksPath", "tools/hooks");

        var session = run(tries(
                "echo evil > a/.githooks/pre-commit",
                "mv a/.githooks a/x",
                "mv a c",
                "mkdir -p b/tools/hooks",
                "rm -rf b/tools && mkdir -p b/tools/hooks && echo evil > b/tools/hooks/pre-commit"));

        assertThat(session.ran().out()).isEmpty();
        assertThat(here().workspace().resolve("b/tools")).doesNotExist();
    }

    @Test
    void B126_protected_names_that_are_not_text_hold_too() throws IOException, InterruptedException {
        var odd = new TreePath("b\n\u00ff\r").on(here().workspace());
        Files.createDirectory(odd);
        Files.writeString(odd.resolve(".env"), "SECRET=1");

        var session = run(tries("cat b*/.env | grep SECRET", "mv b* c", "ls -d b*"), ".env");

        assertThat(session.ran().out()).isEqualTo("worked 3\n");
    }

    @Test
    void B104_three_thousand_hidden_files_and_loops_let_an_unrelated_program_run()
            throws IOException, InterruptedException {
        here().link("loop", "loop");
        here().link("root", "/");
        for (int i = 0; i < 3000; i++) {
            here().write("many/" + i + ".d/.env", "SECRET");
        }

        var session = run("grep -rl SECRET many | wc -l", ".env");

        assertThat(session.ran().out()).isEqualTo("0\n");
    }

    @Test
    void B174_an_allowed_name_runs_under_execute_rights_and_others_do_not()
            throws IOException, InterruptedException, ConfinementException {
        var programs = Programs.ofHost(List.of(), List.of());
        var closure = ExecClosure.of(List.of("sh", "python3", "git"), programs);
        var rights = new ExecRights.Only(closure.hostPaths().stream()
                .map(path -> ByteString.of(path.toString()))
                .toList());
        try (var cage = runtime.create(spec().withExec(rights))) {
            var ran = Ran.script(
                    cage,
                    here().workspace().toString(),
                    "python3 -c 'print(1)'; git --version >/dev/null && echo 2; HOME=/tmp git init -q x && echo 3;"
                            + " ls / && echo 4; cp /bin/ls ./ls && ./ls; true");

            assertThat(ran.out()).isEqualTo("1\n2\n3\n");
            assertThat(ran.err()).contains("Permission denied");
        }
    }

    @Test
    void java_the_compiler_and_maven_start_under_their_closures()
            throws IOException, InterruptedException, ConfinementException {
        here().write("a.c", "int main(void) { return 0; }\n");
        var closure = ExecClosure.of(
                List.of("sh", "java", "gcc", "mvn", "node", "npm", "tar"), Programs.ofHost(List.of(), List.of()));
        var rights = new ExecRights.Only(closure.hostPaths().stream()
                .map(path -> ByteString.of(path.toString()))
                .toList());
        try (var cage = runtime.create(spec().withExec(rights))) {
            var ran = Ran.script(
                    cage,
                    here().workspace().toString(),
                    "export HOME=/tmp; java -version 2>/dev/null && echo java; gcc -o a a.c && echo gcc;"
                            + " mvn -v >/dev/null && echo mvn; node -e 0 && echo node; npm -v >/dev/null && echo npm;"
                            + " tar czf a.tgz a.c && echo tar; true");

            assertThat(ran.out()).isEqualTo("java\ngcc\nmvn\nnode\nnpm\ntar\n");
        }
    }
}
