package dev.cagewright.supervisor.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.RuntimeSource;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ports of real cages on the loopback of the host.
class PublicationsTest {
    private static final Pattern PLACE = Pattern.compile("127\\.0\\.0\\.1:([0-9]+)");

    /// Answers one line with the same, on port 7000 and on [::1] port 7001, and ends when somebody says so.
    private static final String ECHO = """
            import os, socket, threading
            def serve(family, address, port):
                s = socket.create_server((address, port), family=family)
                while True:
                    c, _ = s.accept()
                    line = c.makefile("rb").readline()
                    c.sendall(b"echo " + line * (100000 if line == b"much\\n" else 1))
                    c.close()
                    if line == b"end\\n":
                        os._exit(0)
            threading.Thread(target=serve, args=(socket.AF_INET6, "::1", 7001), daemon=True).start()
            serve(socket.AF_INET, "127.0.0.1", 7000)
            """;

    @TempDir
    private Path folder;

    /// @param above the organisation's own policy
    private PolicyInForce policy(Optional<String> above, List<Integer> ports) throws Exception {
        var organisation = folder.resolve("organisation.yaml");
        if (above.isPresent()) {
            Files.writeString(organisation, above.get());
        }
        var files = new PolicyFiles(organisation, folder.resolve("none"), folder.resolve("none"));
        var own = LoadedPolicy.of(
                folder.resolve("own.yaml"),
                "own.yaml",
                "tool: echo\nfs: {mounts: [{path: /workspace, mode: ro}]}\nnet: {mode: none}\n");
        return PolicyInForce.of(
                files.layersOver(Optional.of(own)),
                new IsolationWish(Optional.empty(), Set.of(Isolation.NAMESPACES), IsolationWish.Consent.CAGE_ONLY),
                Registries.NOT_ASKED,
                document -> document.publishing(ports));
    }

    private Session session(PolicyInForce policy, String id, List<PublishedPort> wishes) throws Exception {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var own = Files.createDirectories(folder.resolve("state").resolve(id));
        var place = new Session.Place(own, new OwnFiles(folders, folder.resolve(id + ".jsonl"), policy.files()));
        var session = Session.open(new SessionId(id), policy.terms(), place, policy::reasons);
        session.publish(wishes);
        return session;
    }

    private RunRequest request() throws IOException {
        var workspace = folder.resolve("ws");
        if (!Files.exists(workspace)) {
            Files.createDirectory(workspace);
            Files.writeString(workspace.resolve("echo.py"), ECHO);
        }
        return new RunRequest(
                List.of(ByteString.of("/usr/bin/python3"), ByteString.of("echo.py")),
                ByteString.of(workspace.toRealPath().toString()),
                Map.of(),
                Streams.Pipes.discarding());
    }

    private static List<PublishedPort> wishes(String... ports) {
        return Arrays.stream(ports).map(port -> PublishedPort.parse("", port)).toList();
    }

    /// A cage that runs, with the host's ports of what it published, in order.
    private record Up(List<Integer> ports, CompletableFuture<RunOutcome> end) {}

    private Up up(Session session, RuntimeSource runtime)
            throws DeniedException, ExecutionException, IOException, InterruptedException, TimeoutException {
        var told = new CompletableFuture<List<Integer>>();
        var end = new CompletableFuture<RunOutcome>();
        var request = request();
        var warrant = session.pass(session.programOf(request), request);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                end.complete(session.run(warrant, request, runtime, new RunWatcher() {
                    @Override
                    public void starting(Warrant allowed, List<String> notices) {
                        told.complete(notices.stream()
                                .map(PLACE::matcher)
                                .filter(Matcher::find)
                                .map(place -> Integer.parseInt(place.group(1)))
                                .toList());
                    }

                    @Override
                    public Watch started(Run run) {
                        return () -> {};
                    }
                }));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                end.completeExceptionally(e);
            } catch (IOException | RuntimeException e) {
                end.completeExceptionally(e);
            } finally {
                told.complete(List.of());
            }
        });
        return new Up(told.get(60, TimeUnit.SECONDS), end);
    }

    private static String asked(InetAddress address, int port, String line) throws IOException {
        try (var socket = new Socket(address, port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String asked(int port, String line) throws IOException {
        return asked(InetAddress.getLoopbackAddress(), port, line);
    }

    /// The program inside may not listen yet; then the connection ends without an answer.
    private static void awaitAnswer(int port) throws IOException {
        for (int i = 0; i < 600; i++) {
            try {
                if (asked(port, "hello").equals("echo hello\n")) {
                    return;
                }
            } catch (SocketException _) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        throw new IOException("no answer");
    }

    @Test
    void a_published_port_answers_and_no_other_does_and_at_the_end_nothing_listens() throws Exception {
        try (var session = session(
                policy(Optional.empty(), List.of(7000, 7001, 7002)),
                "abcdefghij",
                wishes("0:7000", "0:7001", "0:7002"))) {
            var up = up(session, NamespacesRuntime::start);
            assertThat(up.ports()).hasSize(3).doesNotHaveDuplicates();

            awaitAnswer(up.ports().get(0));
            awaitAnswer(up.ports().get(1)); // on [::1] alone
            assertThat(asked(up.ports().get(0), "much")).hasSize("echo ".length() + 100_000 * "much\n".length());
            assertThat(answered(up.ports().get(2)))
                    .as("nobody listens there inside")
                    .isFalse();
            for (var address : NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(one -> !one.isLoopbackAddress())
                    .toList()) {
                assertThatThrownBy(() -> asked(address, up.ports().get(0), "hello"))
                        .as("outside of loopback, at " + address)
                        .isInstanceOf(IOException.class);
            }

            assertThat(asked(up.ports().get(0), "end")).isEqualTo("echo end\n");
            assertThat(up.end().get(60, TimeUnit.SECONDS)).isInstanceOf(RunOutcome.Ended.class);
            for (int port : up.ports()) {
                assertThatThrownBy(() -> asked(port, "hello")).isInstanceOf(ConnectException.class);
            }
        }
        assertThat(Files.readString(folder.resolve("abcdefghij.jsonl")))
                .contains("\"action\":{\"name\":\"net.publish\",\"port\":7000},\"decision\":\"allow\"")
                .containsPattern("\"address\":\"127.0.0.1:[0-9]+\",\"accepted\":[1-9]");
    }

    private static boolean answered(int port) {
        try {
            return !asked(port, "hello").isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void two_cages_with_the_same_port_answer_each_for_itself() throws Exception {
        try (var one = session(policy(Optional.empty(), List.of(7000)), "aaaaaaaaaa", wishes("0:7000"));
                var other = session(policy(Optional.empty(), List.of(7001)), "bbbbbbbbbb", wishes("0:7003"))) {
            var first = up(one, NamespacesRuntime::start);
            awaitAnswer(first.ports().getFirst());

            assertThatThrownBy(() -> up(other, NamespacesRuntime::start))
                    .isInstanceOf(DeniedException.class)
                    .hasMessageContaining("net.publish does not name the port 7003");
            other.publish(wishes("0:7001"));
            var second = up(other, NamespacesRuntime::start);
            awaitAnswer(second.ports().getFirst());
            assertThat(second.ports()).doesNotContainAnyElementsOf(first.ports());

            asked(first.ports().getFirst(), "end");
            first.end().get(60, TimeUnit.SECONDS);
            assertThat(asked(second.ports().getFirst(), "hello")).isEqualTo("echo hello\n");
            asked(second.ports().getFirst(), "end");
            second.end().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void what_the_organisation_does_not_name_is_not_published_whoever_asks() throws Exception {
        var above = Optional.of("net: {publish: [7001]}\n");
        try (var session = session(policy(above, List.of(7000)), "abcdefghij", wishes("0:7000"))) {
            assertThatThrownBy(() -> up(session, NamespacesRuntime::start))
                    .isInstanceOf(DeniedException.class)
                    .hasMessageContaining("net.publish does not name the port 7000");
        }
    }

    @Test
    void a_port_of_the_host_that_is_taken_is_a_clear_refusal_and_on_record() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var session = session(
                        policy(Optional.empty(), List.of(7000)),
                        "abcdefghij",
                        wishes(taken.getLocalPort() + ":7000"))) {
            var end = up(session, NamespacesRuntime::start).end().get(60, TimeUnit.SECONDS);

            assertThat(end).isInstanceOfSatisfying(RunOutcome.NoCage.class, none -> {
                assertThat(none.cause()).hasMessageContaining("Address already in use");
                assertThat(none.cause().remedy()).contains("0:7000 for a free one");
            });
        }
        assertThat(Files.readString(folder.resolve("abcdefghij.jsonl"))).contains("\"failed\":\"port ");
    }

    @Test
    void a_program_without_a_cage_has_nothing_to_publish() throws Exception {
        try (var session = session(policy(Optional.empty(), List.of(7000)), "abcdefghij", wishes("0:7000"))) {
            var end = up(session, UnisolatedRuntime::start).end().get(60, TimeUnit.SECONDS);

            assertThat(end)
                    .isInstanceOfSatisfying(
                            RunOutcome.NoCage.class,
                            none -> assertThat(none.cause())
                                    .hasMessageContaining("the program has no network of its own"));
        }
    }
}
