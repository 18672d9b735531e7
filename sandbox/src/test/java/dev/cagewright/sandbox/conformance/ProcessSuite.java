package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Snapshot;
import dev.cagewright.sandbox.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// How programs end, and that nothing outlives them.
public abstract class ProcessSuite extends RuntimeConformance {
    private static final String PROCESSES_IN_CAGE = "ls /proc | grep -c '^[0-9]*$'";

    /// Seconds that nobody else's program sleeps.
    private static final String NAP =
            Long.toString(100_000_000 + ProcessHandle.current().pid());

    /// What a busy machine takes for anything here; what holds pipes sleeps for longer.
    private static final Duration BOUND = Duration.ofSeconds(20);

    private Exit exitOf(Cage cage, String script) throws ConfinementException, InterruptedException {
        return script(cage, script).exit();
    }

    private CageSpec within(Duration wall) throws ConfinementException {
        return spec().withLimits(spec().limits().withWall(wall));
    }

    @Test
    void B134_exit_statuses_come_through_as_they_are() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            for (int status : new int[] {0, 3, 126, 127, 255}) {
                var exit = exitOf(cage, "exit " + status);
                assertThat(exit.status()).isEqualTo(status);
                assertThat(exit.cause()).isEqualTo(Exit.Cause.EXITED);
            }
            for (int signal : new int[] {15, 9, 11}) {
                var exit = exitOf(cage, "kill -" + signal + " $$");
                assertThat(exit.status()).isEqualTo(128 + signal);
                assertThat(exit.cause()).isEqualTo(Exit.Cause.SIGNALLED);
                assertThat(exit.detail()).isEqualTo("killed by signal " + signal);
            }
            assertThat(exitOf(cage, "trap 'exit 7' TERM; kill $$").status()).isEqualTo(7);
        }
    }

    @Test
    void B134_a_program_that_cannot_be_executed_ends_as_in_a_shell()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("data"), "no program");
        try (var cage = runtime().create(spec())) {
            var absent = Ran.program(cage, workspace.toString(), "/bin/absent").exit();
            assertThat(absent.status()).isEqualTo(127);
            assertThat(absent.cause()).isEqualTo(Exit.Cause.NOT_STARTED);
            assertThat(absent.detail()).isEqualTo("execve(/bin/absent): No such file or directory");
            var data =
                    Ran.program(cage, workspace.toString(), workspace + "/data").exit();
            assertThat(data.status()).isEqualTo(126);
            assertThat(data.detail()).isEqualTo("execve(" + workspace + "/data): Permission denied");
            assertThat(exitOf(cage, "exit 4").status()).isEqualTo(4);
        }
    }

    @Test
    void B135_nothing_outlives_a_cage() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var exit = exitOf(cage, "sleep NAP & setsid sleep NAP & (sleep NAP &) ; exit 0".replace("NAP", NAP));
            assertThat(exit.status()).isZero();
            assertThat(cage.snapshot().processes()).isEqualTo(3);
            awaitSleepers(3);
            cage.destroy();
            assertThat(cage.snapshot().state()).isEqualTo(Snapshot.State.ENDED);
        }
        awaitSleepers(0);
    }

    /// A process is what it is to be a moment after it was forked.
    private static void awaitSleepers(long count) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        while (hostSleepers() != count && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(hostSleepers()).isEqualTo(count);
    }

    private static long hostSleepers() {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> commandLine(pid).equals("sleep " + NAP + " "))
                .count();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException _) {
            return "";
        }
    }

    @Test
    void B137_the_end_comes_in_time_whatever_holds_the_pipes() throws InterruptedException, ExecutionException {
        var ends = new ArrayList<Future<Ran>>();
        try (var atOnce = Executors.newCachedThreadPool()) {
            for (var script : List.of(
                    "echo kept; sleep 300 & sleep 301",
                    "echo kept; trap '' TERM INT HUP; while :; do sleep 1; done",
                    "echo kept; exec >&- 2>&-; while :; do :; done",
                    "echo kept; setsid sleep 302 & wait")) {
                ends.add(atOnce.submit(() -> endedInTime(script)));
            }
        }
        for (var end : ends) {
            var ran = end.get();
            assertThat(ran.exit().cause()).isEqualTo(Exit.Cause.TIMEOUT);
            assertThat(ran.exit().status()).isEqualTo(137);
            assertThat(ran.exit().detail()).isEqualTo("its wall time was over");
            assertThat(ran.out()).isEqualTo("kept\n");
        }
    }

    private Ran endedInTime(String script) throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(within(Duration.ofSeconds(10)))) {
            var begin = System.nanoTime();
            var ran = script(cage, script);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BOUND);
            return ran;
        }
    }

    @Test
    void B137_a_grandchild_with_the_pipe_does_not_delay_an_ordinary_end()
            throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var begin = System.nanoTime();
            var ran = script(cage, "sleep 300 & echo said; exit 3");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BOUND);
            assertThat(ran.out()).isEqualTo("said\n");
            assertThat(ran.exit().status()).isEqualTo(3);
            assertThat(ran.exit().output().truncated()).isFalse();
        }
    }

    @Test
    void B138_orphans_are_reaped_and_every_status_is_exact() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var left = script(cage, """
                    zombies() { grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l; }
                    i=0; while [ $i -lt 1000 ]; do (/bin/true &) ; i=$((i+1)); done
                    i=0; left=1
                    while [ $left != 0 ] && [ $i -lt 20 ]; do sleep 1; left=$(zombies); i=$((i+1)); done
                    echo $left
                    """);
            assertThat(left.out().strip()).isEqualTo("0");
            var runs = new ArrayList<Run>();
            for (int i = 0; i < 200; i++) {
                runs.add(Ran.start(
                        cage, workspace.toString(), Streams.Pipes.discarding(), "/bin/sh", "-c", "exit " + i));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(runs.get(i).await().status()).isEqualTo(i);
            }
            assertThat(cage.snapshot().processes()).isZero();
        }
    }

    @Test
    void B139_output_beyond_the_limit_is_drained_counted_and_marked()
            throws ConfinementException, InterruptedException {
        long mebibyte = 1 << 20;
        try (var cage = runtime().create(spec().withLimits(spec().limits().withOutputBytes(mebibyte)))) {
            var ran = script(cage, "head -c 52428800 /dev/zero; head -c 52428800 /dev/zero >&2; exit 5");
            assertThat(ran.exit().status()).isEqualTo(5);
            assertThat(ran.exit().output())
                    .isEqualTo(new Exit.Output(
                            50 * mebibyte, 50 * mebibyte, /* outTruncated= */ true, /* errTruncated= */ true));
            assertThat(ran.out().length() + ran.err().length()).isEqualTo((int) mebibyte);
            var within = script(cage, "head -c 1048576 /dev/zero");
            assertThat(within.exit().output().truncated()).isFalse();
        }
    }

    @Test
    void B145_a_working_directory_outside_the_root_is_refused() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            for (var place : List.of("/proc/self/fd/3", "/proc/self/fd/7", "/proc/1/cwd", "/proc/1/root", "/absent")) {
                var ran = Ran.program(cage, place, "/bin/ls", "..");
                assertThat(ran.exit().cause()).as(place).isEqualTo(Exit.Cause.NOT_STARTED);
                assertThat(ran.out()).isEmpty();
                assertThat(ran.exit().detail()).startsWith("chdir(" + place + "): ");
            }
            assertThat(Ran.program(cage, "/usr", "/bin/pwd").out()).isEqualTo("/usr\n");
        }
    }

    @Test
    void B146_no_process_of_the_host_is_visible() throws ConfinementException, InterruptedException {
        var ran = script(
                spec(),
                "tr -d '\\0' < /proc/1/cmdline | wc -c; cat /proc/1/environ; ls -l /proc/1/fd /proc/1/root; echo $PPID; ls -d /proc/[0-9]*");
        assertThat(ran.out().lines().findFirst()).hasValue("0");
        assertThat(ran.err()).contains("/proc/1/environ: Permission denied").contains("/proc/1/fd");
        var pids = ran.out().lines().filter(line -> line.startsWith("/proc/")).toList();
        assertThat(pids).hasSizeLessThanOrEqualTo(3).contains("/proc/1");
        assertThat(ran.out().lines()).contains("1");
    }

    @Test
    void nothing_is_inherited_but_three_streams() throws ConfinementException, InterruptedException {
        assertThat(ok(spec(), "ls /proc/$$/fd").lines()).contains("0", "1", "2").hasSizeLessThanOrEqualTo(4);
        assertThat(ok(spec(), "cat /proc/self/status | grep -E '^Sig(Blk|Ign|Cgt)' | cut -f2 | sort -u")
                        .strip())
                .isEqualTo("0000000000000000");
        assertThat(ok(spec(), "env -0 | tr '\\0' '\\n' | grep -v '^PWD\\|^_'").lines())
                .containsExactlyInAnyOrder("PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/cage", "LANG=C.UTF-8");
    }

    @Test
    void a_killed_cage_reports_why_and_takes_no_more() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(cage, workspace.toString(), Streams.Pipes.discarding(), "/bin/sleep", "100");
            assertThat(run.await(Duration.ofMillis(50))).isEmpty();
            cage.kill(KillReason.REQUESTED);
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.KILLED);
            assertThat(run.await().status()).isEqualTo(137);
            assertThatThrownBy(() -> script(cage, "true")).isInstanceOf(ConfinementException.class);
            assertThat(Files.exists(Path.of("/proc/" + cage.initPid()))).isFalse();
        }
    }

    @Test
    void a_signal_reaches_the_program_and_its_children() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var out = new ByteArrayOutputStream();
            var streams = new Streams.Pipes(InputStream.nullInputStream(), out, out);
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    streams,
                    "/bin/sh",
                    "-c",
                    "trap 'echo caught; exit 9' INT; echo ready > ready; while :; do sleep 0.05; done");
            while (!Files.exists(workspace.resolve("ready"))) {
                assertThat(run.await(Duration.ofMillis(10))).isEmpty();
            }
            run.signal(2);
            assertThat(run.await().status()).isEqualTo(9);
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("caught\n");
        }
    }

    @Test
    void a_paused_cage_stands_still_and_goes_on() throws IOException, ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    Streams.Pipes.discarding(),
                    "/bin/sh",
                    "-c",
                    "while :; do echo x >> ticks; done");
            var ticks = workspace.resolve("ticks");
            while (!Files.exists(ticks)) {
                assertThat(run.await(Duration.ofMillis(10))).isEmpty();
            }
            cage.pause();
            assertThat(cage.snapshot().state()).isEqualTo(Snapshot.State.PAUSED);
            settle(ticks);
            long before = Files.size(ticks);
            assertThat(run.await(Duration.ofMillis(200))).isEmpty();
            assertThat(Files.size(ticks)).isEqualTo(before);
            cage.resume();
            while (Files.size(ticks) == before) {
                assertThat(run.await(Duration.ofMillis(10))).isEmpty();
            }
            cage.pause();
            cage.kill(KillReason.REQUESTED);
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.KILLED);
        }
    }

    /// A signal takes hold a moment after it was sent. A program that is only kept waiting, by a busy machine or a slow
    /// disk, writes again well within the time that nothing has to be written in.
    private static void settle(Path ticks) throws IOException {
        long last = -1;
        for (long size = Files.size(ticks); size != last; size = Files.size(ticks)) {
            last = size;
            LockSupport.parkNanos(1_000_000_000);
        }
    }

    /// Of what is still on its way to a disk nothing is said; no program takes time of a processor.
    @Test
    void from_when_a_pause_returns_on_nothing_runs() throws ConfinementException, InterruptedException {
        var busy = "for i in 1 2 3 4; do (while :; do :; done) & done; echo busy > busy; wait";
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(cage, workspace.toString(), Streams.Pipes.discarding(), "/bin/sh", "-c", busy);
            while (!Files.exists(workspace.resolve("busy"))) {
                assertThat(run.await(Duration.ofMillis(10))).isEmpty();
            }
            for (int i = 0; i < 10; i++) {
                cage.pause();
                var used = cage.snapshot().cpu();
                assertThat(run.await(Duration.ofMillis(50))).isEmpty();
                assertThat(cage.snapshot().cpu()).isEqualTo(used);
                cage.resume();
                while (cage.snapshot().cpu().equals(used)) {
                    assertThat(run.await(Duration.ofMillis(10))).isEmpty();
                }
            }
            cage.kill(KillReason.REQUESTED);
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.KILLED);
        }
    }

    @Test
    void a_warrant_is_good_for_one_start() throws ConfinementException, InterruptedException {
        Warrant warrant = Warrants.exec(List.of(ByteString.of("/bin/true")), workspace.toString());
        var launch = new Launch(ByteString.of("/bin/true"), List.of(), Streams.Pipes.discarding());
        try (var cage = runtime().create(spec())) {
            assertThat(cage.start(warrant, launch).await().status()).isZero();
            assertThatThrownBy(() -> cage.start(warrant, launch))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith("is already spent");
        }
    }

    @Test
    void arguments_arrive_byte_for_byte() throws ConfinementException, InterruptedException {
        var odd = ByteString.copyOf(new byte[] {'a', (byte) 0xff, '\n', '\r', (byte) 0x80, ' ', '"'});
        var argv = List.of(ByteString.of("argv zero"), ByteString.of("%s|"), odd, ByteString.of(""));
        var out = new ByteArrayOutputStream();
        var streams = new Streams.Pipes(InputStream.nullInputStream(), out, out);
        try (var cage = runtime().create(spec())) {
            var warrant = Warrants.exec(argv, workspace.toString());
            cage.start(warrant, new Launch(ByteString.of("/usr/bin/printf"), List.of(), streams))
                    .await();
        }
        assertThat(out.toByteArray())
                .isEqualTo(new byte[] {'a', (byte) 0xff, '\n', '\r', (byte) 0x80, ' ', '"', '|', '|'});
    }

    @Test
    void a_long_argument_list_starts_and_a_longer_one_is_refused_as_the_kernel_does()
            throws ConfinementException, InterruptedException {
        var argv = new ArrayList<ByteString>(List.of(ByteString.of("/bin/true")));
        for (int i = 0; i < 9; i++) {
            argv.add(ByteString.of("x".repeat(100_000)));
        }
        try (var cage = runtime().create(spec())) {
            var launch = new Launch(argv.getFirst(), List.of(), Streams.Pipes.discarding());
            assertThat(cage.start(Warrants.exec(argv, "/"), launch).await().status())
                    .isZero();
        }
    }

    @Test
    void use_is_reported() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var exit = exitOf(cage, "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
            assertThat(exit.usage().user()).isPositive();
            assertThat(exit.usage().maxResidentBytes()).isGreaterThan(100_000);
            assertThat(exit.usage().wall()).isPositive();
            assertThat(script(cage, PROCESSES_IN_CAGE).exit().status()).isZero();
        }
    }
}
