package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.programs.ProgramNotFoundException;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
    private static final String WORKSPACE_RW = "fs: {mounts: [{path: /workspace, mode: rw}]}\n";

    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");
    private Path log = Path.of("/");

    @BeforeEach
    void folders() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace")).toRealPath();
        log = folder.resolve("audit.jsonl");
    }

    private PolicyInForce policy(String text, IsolationWish wish) throws Exception {
        var file = Files.writeString(folder.resolve("policy.yaml"), text);
        var files = new PolicyFiles(folder.resolve("none"), folder.resolve("none"), folder.resolve("none"));
        return PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), wish);
    }

    private Session session(PolicyInForce policy) throws Exception {
        var own = Files.createDirectories(folder.resolve("state/s"));
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var place = new Session.Place(own, new OwnFiles(folders, log, policy.files()));
        return Session.open(new SessionId("abcdefghij"), policy.terms(), place, policy::reasons);
    }

    private RunRequest request(Streams streams, String... argv) {
        return new RunRequest(
                Arrays.stream(argv).map(ByteString::of).toList(),
                ByteString.of(workspace.toString()),
                Map.of(ByteString.of("HOME"), ByteString.of(folder.toString())),
                streams);
    }

    private List<Event> events() throws IOException {
        var found = new ArrayList<Event>();
        new EventReader(log).newestFirst(EventQuery.ALL, line -> {
            if (line instanceof StoredLine.Whole(LogLine whole)
                    && !whole.event().actionName().startsWith("log.")) {
                found.addFirst(whole.event());
            }
        });
        return found;
    }

    /// Looks at the log at the moment the program is about to start.
    private final class Observer implements RunWatcher {
        private List<Event> before = List.of();

        @Override
        public void starting(Warrant warrant, List<String> notices) {
            try {
                before = events();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Watch started(Run run) {
            return () -> {};
        }
    }

    @Test
    void I4_the_intent_is_in_the_log_before_the_program_starts_and_the_outcome_after() throws Exception {
        var out = new ByteArrayOutputStream();
        var streams = new Streams.Pipes(InputStream.nullInputStream(), out, out);
        var observer = new Observer();
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var request = request(streams, "/bin/echo", "hello");
            var warrant = session.gate().pass(session.programOf(request));

            var outcome = session.run(warrant, request, NamespacesRuntime::start, observer);

            assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
                assertThat(ended.exit().status()).isZero();
                assertThat(ended.exit().cause()).isEqualTo(Exit.Cause.EXITED);
            });
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("hello\n");
        assertThat(observer.before).extracting(Event::kind).containsExactly(Event.Kind.INTENT);
        assertThat(events()).extracting(Event::kind).containsExactly(Event.Kind.INTENT, Event.Kind.OUTCOME);
        assertThat(events()).extracting(event -> event.origin().id()).containsOnly("abcdefghij-1");
        assertThat(events().getLast().detail().write()).contains("\"ran\":true,\"exit\":0,\"cause\":\"exited\"");
    }

    @Test
    void a_denied_program_leaves_a_reasoned_line_and_no_trace() throws Exception {
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var program = session.programOf(request(Streams.Pipes.discarding(), "sh", "-c", "touch pwned"));

            assertThatThrownBy(() -> session.gate().pass(program))
                    .isInstanceOf(DeniedException.class)
                    .hasMessage("SHELL: argv[1]: sh takes a command string (-c) (rule deny:shell)");
        }
        assertThat(workspace.resolve("pwned")).doesNotExist();
        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.ruling().decision()).isEqualTo("deny");
            assertThat(event.ruling().rules()).first().isEqualTo("deny:shell");
            assertThat(event.detail().text("why")).contains("argv[1]: sh takes a command string (-c)");
            assertThat(event.detail().text("at")).contains("deny:shell (built in)");
        });
    }

    @Test
    void a_denial_names_the_file_and_line_of_its_rule_and_what_would_allow_it() throws Exception {
        var policy = policy(WORKSPACE_RW + "exec:\n  allowlist: [git]\n", IsolationWish.CAGE);
        try (var session = session(policy)) {
            var program = session.programOf(request(Streams.Pipes.discarding(), "make"));

            assertThatThrownBy(() -> session.gate().pass(program))
                    .isInstanceOfSatisfying(DeniedException.class, denied -> {
                        var report = policy.report(denied);
                        assertThat(report.where())
                                .hasValueSatisfying(where -> assertThat(where).endsWith("policy.yaml:3:3)"));
                        assertThat(report.wouldAllow()).containsExactly("exec:", "  allowlist:", "    - make");
                    });
        }
    }

    @Test
    void a_policy_without_mounts_grants_no_workspace() throws Exception {
        Files.writeString(workspace.resolve("secret"), "x");
        var out = new ByteArrayOutputStream();
        try (var session = session(policy("tool: blind\n", IsolationWish.CAGE))) {
            var request = request(new Streams.Pipes(InputStream.nullInputStream(), out, out), "/bin/pwd");
            var warrant = session.gate().pass(session.programOf(request));

            session.run(warrant, request, NamespacesRuntime::start, new Observer());
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("/home/cage\n");
    }

    @Test
    void a_program_that_is_not_there_is_told_and_recorded() throws Exception {
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var request = request(Streams.Pipes.discarding(), "no-such-program");
            var warrant = session.gate().pass(session.programOf(request));

            var outcome = session.run(warrant, request, NamespacesRuntime::start, new Observer());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            RunOutcome.NoProgram.class,
                            missing -> assertThat(missing.reason())
                                    .startsWith("program \"no-such-program\": not on the cage's PATH"));
        }
        assertThat(events().getLast().detail().write()).startsWith("{\"ran\":false,");
    }

    @Test
    void a_file_that_is_no_program_is_told_apart_from_none() throws Exception {
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var request = request(Streams.Pipes.discarding(), "/etc/passwd");
            var warrant = session.gate().pass(session.programOf(request));

            assertThat(session.run(warrant, request, NamespacesRuntime::start, new Observer()))
                    .isInstanceOfSatisfying(RunOutcome.NoProgram.class, odd -> {
                        assertThat(odd.kind()).isEqualTo(ProgramNotFoundException.Kind.NOT_EXECUTABLE);
                        assertThat(odd.reason()).isEqualTo("/etc/passwd: is not an executable file");
                    });
        }
    }

    @Test
    void a_runtime_that_does_not_start_is_no_cage_and_nothing_runs() throws Exception {
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var request = request(Streams.Pipes.discarding(), "/usr/bin/touch", "ran");
            var warrant = session.gate().pass(session.programOf(request));

            var outcome = session.run(
                    warrant,
                    request,
                    () -> {
                        throw new ConfinementException(
                                "namespaces", "clone(NEWUSER)", "No space left on device", "more");
                    },
                    new Observer());

            assertThat(outcome).isInstanceOf(RunOutcome.NoCage.class);
        }
        assertThat(workspace).isEmptyDirectory();
        assertThat(events().getLast().detail().text("remedy")).contains("more");
    }

    @Test
    void B198_a_log_that_cannot_be_opened_lets_nothing_be_decided() throws Exception {
        Files.createDirectory(log);
        var policy = policy(WORKSPACE_RW, IsolationWish.CAGE);

        assertThatThrownBy(() -> session(policy))
                .isInstanceOf(UnavailableLogException.class)
                .hasMessageStartingWith("the audit log cannot be written: ");
    }

    @Test
    void a_stronger_isolation_than_the_host_has_is_denied_and_never_weakened() throws Exception {
        try (var session = session(policy("min_isolation: tier2\n" + WORKSPACE_RW, IsolationWish.CAGE))) {
            var program = session.programOf(request(Streams.Pipes.discarding(), "/bin/true"));

            assertThatThrownBy(() -> session.gate().pass(program))
                    .hasMessageStartingWith("ISOLATION_UNAVAILABLE: ")
                    .hasMessageContaining("isolation:unavailable");
        }
    }

    @Test
    void isolation_given_up_by_name_is_recorded_and_refused_above_namespaces() throws Exception {
        var unsafe =
                new IsolationWish(Optional.empty(), Set.of(Isolation.NAMESPACES), IsolationWish.Consent.NO_ISOLATION);
        try (var session = session(policy(WORKSPACE_RW, unsafe))) {
            var request = request(Streams.Pipes.discarding(), "/bin/true");
            var warrant = session.gate().pass(session.programOf(request));

            var outcome = session.run(warrant, request, UnisolatedRuntime::start, new Observer());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            RunOutcome.Ended.class,
                            ended -> assertThat(ended.enforcement().gaps())
                                    .extracting(gap -> gap.limit())
                                    .contains("isolation", "network", "files"));
        }
        assertThat(events().getFirst().ruling().rules()).contains("isolation:unisolated");
        try (var session = session(policy("min_isolation: gvisor\n" + WORKSPACE_RW, unsafe))) {
            var program = session.programOf(request(Streams.Pipes.discarding(), "/bin/true"));
            assertThatThrownBy(() -> session.gate().pass(program)).hasMessageContaining("cannot be given up");
        }
    }

    @Test
    void I9_an_absent_hook_cannot_be_planted_and_the_workspace_is_without_litter() throws Exception {
        Files.createDirectories(workspace.resolve(".git/objects"));
        Files.writeString(workspace.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(workspace.resolve("plant.py"), """
                import os
                for path in (".git/hooks/pre-commit", ".envrc", ".vscode/tasks.json", "allowed.txt"):
                    try:
                        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                        open(path, "w").write("x")
                    except OSError:
                        pass
                """);
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var request = request(Streams.Pipes.discarding(), "/usr/bin/python3", "plant.py");
            var warrant = session.gate().pass(session.programOf(request));
            session.run(warrant, request, NamespacesRuntime::start, new Observer());
        }
        try (var left = Files.walk(workspace)) {
            assertThat(left.map(path -> workspace.relativize(path).toString()).sorted())
                    .containsExactly("", ".git", ".git/HEAD", ".git/objects", "allowed.txt", "plant.py");
        }
    }

    private RunOutcome runTrue(String text) throws Exception {
        try (var session = session(policy(text, IsolationWish.CAGE))) {
            var request = request(Streams.Pipes.discarding(), "/bin/true");
            var warrant = session.gate().pass(session.programOf(request));
            return session.run(warrant, request, NamespacesRuntime::start, new Observer());
        }
    }

    @Test
    void B101_a_mounted_directory_with_a_socket_in_it_is_refused_and_one_without_is_mounted() throws Exception {
        var data = Files.createDirectories(folder.resolve("data/deep"));
        var policy = "fs: {mounts: [{path: /workspace, mode: rw}, {path: /data, mode: ro, source: " + data.getParent()
                + "}]}\n";
        assertThat(runTrue(policy)).isInstanceOf(RunOutcome.Ended.class);

        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(data.resolve("s.sock")));

            assertThat(runTrue(policy))
                    .isInstanceOfSatisfying(
                            RunOutcome.NoCage.class,
                            refused -> assertThat(refused.cause())
                                    .hasMessage(
                                            "mounts: mount at /data: a socket is in it: " + data.resolve("s.sock")));
        }
    }

    @Test
    void I10_a_path_that_cannot_be_hidden_is_refused_and_one_in_the_workspace_is_hidden() throws Exception {
        assertThat(runTrue(WORKSPACE_RW.replace("]}", "], hide: [/workspace/a, \"**/b\"]}")))
                .isInstanceOf(RunOutcome.Ended.class);
        assertThat(runTrue(WORKSPACE_RW.replace("]}", "], hide: [/etc]}")))
                .isInstanceOfSatisfying(
                        RunOutcome.NoCage.class,
                        refused -> assertThat(refused.cause())
                                .hasMessageStartingWith(
                                        "protection: fs: fs.hide: /etc (expected: **/name, or a path below"));
    }

    @Test
    void a_workspace_from_elsewhere_is_refused() throws Exception {
        assertThat(runTrue("fs: {mounts: [{path: /workspace, mode: rw, source: /usr/share}]}\n"))
                .isInstanceOfSatisfying(
                        RunOutcome.NoCage.class,
                        refused -> assertThat(refused.cause())
                                .hasMessageContaining("the workspace is the directory that the run was given"));
    }

    @Test
    void what_no_runtime_holds_yet_is_a_named_gap() throws Exception {
        var outcome = runTrue("mode: lockdown\nresources: {files: 10, disk: 1GiB}\n" + WORKSPACE_RW);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RunOutcome.Ended.class,
                        ended -> assertThat(ended.enforcement().gaps())
                                .extracting(gap -> gap.limit())
                                .contains("files", "disk", "mode: lockdown"));
    }

    @Test
    void a_relative_program_is_one_of_the_workspace_and_judged_by_its_whole_path() throws Exception {
        try (var session = session(policy(WORKSPACE_RW, IsolationWish.CAGE))) {
            var program = session.programOf(request(Streams.Pipes.discarding(), "./gradlew", "build"));

            assertThat(program.argv().getFirst()).hasToString(workspace + "/gradlew");
            assertThat(program.workingDirectory()).hasToString(workspace.toString());
        }
    }
}
