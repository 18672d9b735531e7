package dev.cagewright.supervisor.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.log.RollingLog;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Line;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The background supervisor within this process, with real cages on a real socket.
class ResidentServerTest extends HostedCages {

    @Test
    void a_cage_that_is_up_runs_one_program_after_the_other_and_its_files_stay_between_them() throws IOException {
        up("one");

        assertThat(exec("one", text(""), "touch", "/tmp/mark")).isEqualTo(new Wrote(0, "", ""));
        assertThat(exec("one", text(""), "ls", "/tmp/mark").out()).isEqualTo("/tmp/mark\n");
        assertThat(exec("one", text("as it came"), "cat").out()).isEqualTo("as it came");
        assertThat(exec("one", text(""), "ls", "/nonexistent").code()).isEqualTo(2);
        assertThat(exec("one", text(""), "no-such-program").code()).isEqualTo(127);

        client.stop("one");
        assertThatThrownBy(() -> exec("one", text(""), "ls"))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("one is not up (expected: cagewright up one");
    }

    @Test
    void a_program_that_the_policy_does_not_list_is_denied_beside_one_that_it_lists() throws IOException {
        up("one");

        assertThat(exec("one", text(""), "id").code()).isZero();
        assertThatThrownBy(() -> exec("one", text(""), "uname"))
                .isInstanceOfSatisfying(RefusedException.class, denied -> {
                    var report = denied.denial().orElseThrow();
                    assertThat(report.rules()).contains("exec.allowlist");
                    assertThat(report.what()).isEqualTo("proc.exec uname");
                    assertThat(report.id()).isPresent();
                });
        assertThat(client.state().cages().getFirst().denials()).isEqualTo(1);
    }

    @Test
    void I7_two_cages_in_one_workspace_see_each_others_work_and_nothing_else() throws IOException {
        up("one", "two");

        exec("one", text(""), "touch", "/tmp/of-one", "/home/cage/of-one", "of-both");

        assertThat(exec("two", text(""), "ls", "/tmp/of-one").code()).isEqualTo(2);
        assertThat(exec("two", text(""), "ls", "/home/cage/of-one").code()).isEqualTo(2);
        assertThat(exec("two", text(""), "ls", "of-both").out()).isEqualTo("of-both\n");
    }

    @Test
    void a_home_lasts_longer_than_its_cage_and_its_temporary_files_do_not() throws IOException {
        up("one");
        exec("one", text(""), "touch", "/tmp/gone", "/home/cage/kept");
        client.stop("one");
        up("one");

        assertThat(exec("one", text(""), "ls", "/home/cage/kept").code()).isZero();
        assertThat(exec("one", text(""), "ls", "/tmp/gone").code()).isEqualTo(2);
    }

    @Test
    void the_own_program_of_a_cage_writes_a_log_and_may_clear_up_at_the_end()
            throws IOException, PolicySyntaxException {
        var script = Files.writeString(
                root.resolve("workspace/own"),
                "#!/bin/bash\ntrap 'echo cleared; exit 0' TERM\necho begins\nwhile :; do sleep 0.05; done\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        var own = script.toRealPath();
        make("three", POLICY.formatted("three").replace("bash]", "bash, " + own + "]") + "command: [" + own + "]\n");
        up("three");
        var log = NamedCages.of(folders).state("three").resolve(RollingLog.NAME);
        await(() -> read(log).startsWith("begins\n"));
        assertThat(client.state().cages().getFirst().own()).isEqualTo("runs");

        client.stop("three");

        assertThat(Files.readAllLines(log)).startsWith("begins").contains("cleared");
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoever_goes_away_ends_their_program_and_not_the_cage() throws IOException {
        up("one");
        var program = client.exec(order("one", "sleep", "1000"), Streams.Pipes.discarding());
        program.started();
        await(() -> programs() == 1);

        program.close();

        await(() -> programs() == 0);
        assertThat(exec("one", text(""), "ls").code()).isZero();
    }

    private long programs() {
        try {
            return client.state().cages().stream()
                    .mapToLong(CageState::programs)
                    .sum();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void B238_the_end_of_an_old_program_says_nothing_about_the_new_cage_of_the_name() throws IOException {
        var sessions = new HashSet<String>();
        for (int i = 0; i < 8; i++) {
            up("one");
            try (var old = client.exec(order("one", "sleep", "1000"), Streams.Pipes.discarding())) {
                old.started();
                client.stop("one");
                up("one");

                assertThat(old.await().code()).isEqualTo(143);
            }
            var now = client.state().cages();
            assertThat(now).singleElement().satisfies(cage -> {
                assertThat(cage.programs()).isZero();
                assertThat(sessions.add(cage.session()))
                        .as("a session of its own")
                        .isTrue();
            });
            assertThat(exec("one", text(""), "ls").code()).isZero();
            client.stop("one");
        }
    }

    @Test
    void B241_a_cage_whose_processes_stand_still_holds_no_other_up_and_goes_all_the_same()
            throws IOException, InterruptedException {
        var before = ProcessHandle.current().descendants().collect(Collectors.toSet());
        up("one");
        var standing = ProcessHandle.current()
                .descendants()
                .filter(process -> !before.contains(process))
                .toList();
        assertThat(standing).isNotEmpty();
        for (ProcessHandle process : standing) {
            var stop = new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start();
            assertThat(stop.waitFor()).isZero();
        }

        up("two");
        assertThat(exec("two", text(""), "ls").code()).isZero();
        client.stop("two");
        client.stop("one");
        assertThat(standing).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void whoever_does_not_read_holds_nobody_else_up() throws IOException {
        up("one");
        try (var stuck = client.exec(order("one", "cat", "/dev/zero"), Streams.Pipes.discarding())) {
            stuck.started(); // and never await(): nothing of its output is read

            assertThat(exec("one", text("quick"), "cat").out()).isEqualTo("quick");
            assertThat(programs()).isEqualTo(1);
        }
        await(() -> programs() == 0);
    }

    @Test
    void a_program_gets_all_of_a_long_input_and_its_reader_all_of_a_long_output() throws IOException {
        up("one");
        var much = "0123456789abcdef".repeat(200_000);

        assertThat(exec("one", text(much), "cat").out()).isEqualTo(much);
    }

    @Test
    void whoever_reads_no_more_has_had_enough() throws IOException {
        up("one");
        var full = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("closed");
            }
        };
        try (var program = client.exec(order("one", "cat", "/dev/zero"), new Streams.Pipes(text(""), full, full))) {
            program.started();
            assertThat(program.await().code()).isEqualTo(141);
        }
        await(() -> programs() == 0);
    }

    @Test
    void a_question_of_another_version_is_refused_with_what_to_do() throws IOException {
        assertThat(asked(Json.object()
                        .put("ask", "up")
                        .put("version", 99)
                        .build()
                        .bytes()))
                .contains("another version", "cagewright supervisor stop");
        assertThat(asked(Json.object().put("ask", "state").build().bytes())).contains("\"cages\"");
        assertThat(asked(Json.object()
                        .put("ask", "dance")
                        .put("version", Conversation.VERSION)
                        .build()
                        .bytes()))
                .contains("ask: unknown");
    }

    private String asked(byte[] question) throws IOException {
        try (var line = new Line(connected())) {
            line.write(Frame.of(Frame.Kind.ASK, question));
            return new String(line.read().orElseThrow().bytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void nonsense_and_silence_on_the_socket_hurt_nobody() throws IOException {
        var silent = IntStream.range(0, 20).mapToObj(_ -> connectedQuietly()).toList();
        try (var line = new Line(connected())) {
            line.write(Frame.of(Frame.Kind.OUT, "?".getBytes(StandardCharsets.US_ASCII)));
            assertThat(line.read()).isEmpty();
        }
        up("one");
        assertThat(exec("one", text(""), "ls").code()).isZero();
        for (SocketChannel channel : silent) {
            channel.close();
        }
    }

    private SocketChannel connectedQuietly() {
        try {
            return connected();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void there_is_one_supervisor_and_its_socket_is_the_persons_alone() throws IOException, ConfinementException {
        assertThat(ResidentServer.start(folders, Map.of(), NamespacesRuntime::start))
                .isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(client.address())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(client.address().resolveSibling("."))))
                .isEqualTo("rwx------");
    }

    @Test
    void a_cage_that_is_up_stays_as_it_is_when_it_is_wanted_up_again() throws Exception {
        var wanted = new UpOrder("one", List.of(), CallerEnvironment.read());
        var first = client.up(wanted);
        assertThat(first.arrival()).isEqualTo(UpOrder.Arrival.NEW);

        assertThat(client.up(wanted))
                .isEqualTo(new ResidentClient.Up(first.session(), UpOrder.Arrival.BEFORE, List.of()));
        var more = new UpOrder("one", List.of(SecretWish.parse("github_token")), CallerEnvironment.read());
        assertThatThrownBy(() -> client.up(more))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(2))
                .hasMessageContaining("one is up already")
                .hasMessageContaining("not lent github_token")
                .hasMessageContaining("cagewright restart one");
        var policy = NamedCages.of(folders).policy("one").file();
        Files.writeString(policy, Files.readString(policy) + "# another line\n");
        assertThat(client.up(wanted).told()).containsExactly("its files have changed since: cagewright restart one");
        assertThat(ResidentClient.isUp(folders, "one")).isTrue();
        assertThat(ResidentClient.stopIfUp(folders, "one")).last().asString().startsWith("receipt: ");
        assertThat(ResidentClient.isUp(folders, "one")).isFalse();
        assertThat(ResidentClient.stopIfUp(folders, "one")).isEmpty();
    }

    @Test
    void a_supervisor_without_cages_ends_by_itself_and_one_with_a_cage_does_not()
            throws IOException, InterruptedException {
        server.await(Optional.of(Duration.ofMillis(1)));

        up("one");
        var waiting = Thread.ofVirtual().start(() -> {
            try {
                server.await(Optional.of(Duration.ofMillis(1)));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(waiting.join(Duration.ofSeconds(3))).isFalse();
        client.stop("one");
        assertThat(waiting.join(Duration.ofSeconds(60))).isTrue();
    }

    @Test
    void a_socket_that_was_taken_away_is_made_again() throws IOException, InterruptedException {
        var waiting = Thread.ofVirtual().start(() -> {
            try {
                server.await(Optional.empty());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        Files.delete(client.address());

        await(() -> {
            try {
                return ResidentClient.find(folders).isPresent();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        ResidentClient.find(folders).orElseThrow().end();
        waiting.join();
    }

    @Test
    void what_was_up_and_what_it_said_is_in_the_log() throws IOException {
        up("one");
        exec("one", text(""), "id");
        client.stop("one");

        try (Stream<String> lines = Files.lines(folders.auditLog())) {
            assertThat(lines.toList())
                    .anySatisfy(line -> assertThat(line).contains("cage.up", "\"one\""))
                    .anySatisfy(line -> assertThat(line).contains("\"intent\"", "proc.exec"))
                    .anySatisfy(line -> assertThat(line).contains("\"outcome\"", "proc.exec"))
                    .anySatisfy(line -> assertThat(line).contains("cage.down", "stopped"));
        }
        assertThat(LastSession.of(folders, "one")
                        .orElseThrow()
                        .end()
                        .orElseThrow()
                        .state())
                .isEqualTo("stopped");
    }
}
