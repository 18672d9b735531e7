package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a cage may use, and that going beyond hurts nobody else.
public abstract class LimitSuite extends RuntimeConformance {
    private CageSpec limited(Limits limits) throws ConfinementException {
        return spec().withLimits(limits);
    }

    private static Limits limits() {
        return Limits.DEFAULT.withWall(Duration.ofSeconds(20));
    }

    @Test
    void a_fork_bomb_stays_in_its_cage_and_ends_with_it() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(limited(limits().withProcesses(40).withWall(Duration.ofSeconds(2))))) {
            var ran = script(cage, "bomb() { bomb | bomb & }; (bomb) & while :; do :; done");
            assertThat(ran.exit().cause()).isEqualTo(Exit.Cause.TIMEOUT);
            assertThat(cage.snapshot().processes()).isZero();
        }
    }

    @Test
    void processes_are_counted_for_each_cage_alone() throws ConfinementException, InterruptedException {
        var many = "i=0; while [ $i -lt 20 ]; do sleep 300 & i=$((i+1)); done; echo started";
        var spec = limited(limits().withProcesses(30));
        try (var one = runtime().create(spec);
                var other = runtime().create(spec)) {
            assertThat(script(one, many).out()).isEqualTo("started\n");
            assertThat(script(other, many).out()).isEqualTo("started\n");
            var third = script(one, many);
            assertThat(third.out()).isEmpty();
            assertThat(third.err()).containsIgnoringCase("fork");
        }
    }

    @Test
    void a_memory_hog_is_stopped_and_told() throws ConfinementException, InterruptedException {
        var hog = """
                import time
                kept = []
                while True:
                    kept.append(b'x' * (8 << 20))
                    time.sleep(0.005)
                """;
        try (var cage = runtime().create(limited(limits().withMemoryBytes(256 << 20)))) {
            var ran = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", hog);
            assertThat(ran.exit().cause()).isIn(Exit.Cause.MEMORY, Exit.Cause.EXITED);
            assertThat(ran.exit().status()).isIn(137, 1);
            if (ran.exit().cause() == Exit.Cause.EXITED) {
                assertThat(ran.err()).contains("MemoryError");
            } else {
                assertThat(ran.exit().detail()).isEqualTo("the cage used more memory than its limit");
            }
        }
    }

    @Test
    void many_processes_together_do_not_pass_the_memory_limit() throws ConfinementException, InterruptedException {
        var hog = """
                import os, time
                for i in range(4):
                    if os.fork() == 0:
                        kept = b'x' * (150 << 20)
                        time.sleep(30)
                        os._exit(0)
                os.wait()
                os.kill(os.getpid(), 9)
                """;
        try (var cage = runtime().create(limited(limits().withMemoryBytes(300 << 20)))) {
            var exit = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", hog)
                    .exit();
            assertThat(exit.cause()).isEqualTo(Exit.Cause.MEMORY);
        }
    }

    @Test
    void temporary_files_share_one_size() throws ConfinementException, InterruptedException {
        var ran = script(
                limited(limits().withDisk(8 << 20)),
                "head -c 6000000 /dev/zero > /tmp/a && head -c 6000000 /dev/zero > ~/b");
        assertThat(ran.err()).contains("No space left on device");
    }

    @Test
    void one_file_does_not_grow_beyond_its_limit() throws ConfinementException, InterruptedException {
        var ran = script(limited(limits().withFileSize(1 << 20)), "head -c 5000000 /dev/zero > big; wc -c < big");
        assertThat(ran.out().strip()).isEqualTo("1048576");
    }

    @Test
    void B157_a_limit_never_raises_what_was_inherited() throws ConfinementException, InterruptedException {
        var inherited = softLimit("Max open files");
        var high = ok(limited(limits().withOpenFiles(Integer.MAX_VALUE)), "ulimit -n");
        assertThat(Long.parseLong(high.strip())).isEqualTo(inherited);
        var low = ok(limited(limits().withOpenFiles(100)), "ulimit -n; ulimit -c");
        assertThat(low).isEqualTo("100\n0\n");
        try (var cage = runtime().create(limited(limits().withOpenFiles(Integer.MAX_VALUE)))) {
            assertThat(cage.enforcement().enforced())
                    .contains(new Enforcement.Enforced("open files", "RLIMIT_NOFILE", Long.toString(inherited)));
        }
    }

    private static long softLimit(String name) {
        try (var lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split(" +", -1)[0])
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void what_does_not_hold_is_named_with_a_remedy() throws ConfinementException {
        try (var cage = runtime().create(limited(limits().withCpus(0.5)))) {
            var enforcement = cage.enforcement();
            var named = enforcement.enforced().stream()
                    .map(Enforcement.Enforced::limit)
                    .toList();
            assertThat(named).contains("wall", "output", "processes", "memory", "disk", "core", "landlock", "seccomp");
            var gaps = enforcement.gaps().stream().map(Enforcement.Gap::limit).toList();
            assertThat(named.contains("cpus") ? List.of() : List.of("memory", "cpus"))
                    .isEqualTo(gaps);
            assertThat(enforcement.gaps())
                    .allSatisfy(gap -> assertThat(gap.remedy()).isNotEmpty());
        }
    }

    @Test
    void a_flood_on_both_streams_neither_hangs_nor_fills_memory() throws ConfinementException, InterruptedException {
        var limits = limits().withWall(Duration.ofSeconds(2)).withOutputBytes(1000);
        try (var cage = runtime().create(limited(limits))) {
            var run =
                    Ran.start(cage, workspace.toString(), Streams.Pipes.discarding(), "/bin/sh", "-c", "yes & yes >&2");
            var exit = run.await();
            assertThat(exit.cause()).isEqualTo(Exit.Cause.TIMEOUT);
            assertThat(exit.output().outBytes()).isGreaterThan(100_000);
            assertThat(exit.output().truncated()).isTrue();
        }
    }
}
