package dev.cagewright.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Snapshot;
import dev.cagewright.sandbox.conformance.Ran;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What comes out of a pool is what a new cage would be, or it does not come out.
class WarmPoolTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final LinkedBlockingQueue<PoolEvent> events = new LinkedBlockingQueue<>();
    private Path workspace;
    private WarmPool pool;

    @BeforeEach
    void open() throws IOException, ConfinementException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
        Files.createDirectory(workspace.resolve(".git"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        pool = open(PoolBounds.DEFAULT);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private WarmPool open(PoolBounds bounds) throws ConfinementException {
        return WarmPool.over(NamespacesRuntime.start(), bounds, events::add);
    }

    private CageSpec spec() throws ConfinementException {
        return CageSpec.of("waiting", HostDirectory.open(ByteString.of(workspace.toString()), Access.READ_WRITE));
    }

    private CageSpec masked() throws ConfinementException {
        return spec().withMasks(List.of(new Mask(ByteString.of(".git/config"), Mask.Kind.READ_ONLY)));
    }

    private void warm(CageSpec spec) throws InterruptedException {
        pool.keep(spec, 1);
        assertThat(pool.awaitReady(spec, PATIENCE)).isTrue();
    }

    private String script(CageSpec spec, String script) throws ConfinementException, InterruptedException {
        try (var cage = pool.create(spec)) {
            var ran = Ran.script(cage, workspace.toString(), script);
            return ran.out() + ran.err();
        }
    }

    private PoolEvent told() throws InterruptedException {
        var event = events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(event).as("what the pool told").isNotNull();
        return event;
    }

    @Test
    void a_waiting_cage_serves_under_the_name_it_is_asked_for() throws ConfinementException, InterruptedException {
        warm(spec());

        try (var cage = pool.create(spec().withId("session-1"))) {
            assertThat(cage.id()).isEqualTo("session-1");
            assertThat(cage.snapshot().id()).isEqualTo("session-1");
            assertThat(cage.snapshot().state()).isEqualTo(Snapshot.State.RUNNING);
            assertThat(Ran.script(cage, workspace.toString(), "pwd").out()).isEqualTo(workspace + "\n");
        }
        assertThat(pool.counts().claimed()).isEqualTo(1);
        assertThat(pool.counts().missed()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void no_cage_comes_out_twice_and_nothing_of_a_session_is_in_the_next()
            throws ConfinementException, IOException, InterruptedException {
        pool.keep(spec(), 2);
        var seen = new HashSet<Long>();
        for (int i = 0; i < 6; i++) {
            assertThat(pool.awaitReady(spec(), PATIENCE)).isTrue();
            try (var cage = pool.create(spec().withId("session-" + i))) {
                assertThat(seen.add(cage.initPid()))
                        .as("a first process of its own")
                        .isTrue();
                var ran = Ran.script(
                        cage,
                        workspace.toString(),
                        "for d in /tmp /home/cage /dev/shm; do cat $d/trace; echo mine > $d/trace; cat $d/trace; done");
                assertThat(ran.out()).isEqualTo("mine\nmine\nmine\n");
            }
        }
        assertThat(pool.counts().claimed()).isEqualTo(6);
    }

    @Test
    void an_empty_pool_builds_one_while_the_caller_waits() throws ConfinementException, InterruptedException {
        assertThat(script(spec(), "echo built")).isEqualTo("built\n");
        assertThat(pool.counts().missed()).isEqualTo(1);
        assertThat(pool.counts().claimed()).isZero();
    }

    @Test
    void a_folder_that_took_the_workspaces_place_is_what_the_session_sees()
            throws ConfinementException, IOException, InterruptedException {
        warm(spec());
        Files.move(workspace, workspace.resolveSibling("moved"));
        Files.createDirectory(workspace);
        Files.writeString(workspace.resolve("new"), "");

        assertThat(script(spec(), "ls")).isEqualTo("new\n");
        assertThat(pool.counts().claimed()).isZero();
    }

    @Test
    void a_specification_that_names_an_object_that_is_gone_is_refused()
            throws ConfinementException, IOException, InterruptedException {
        var stale = spec();
        warm(stale);
        Files.move(workspace, workspace.resolveSibling("moved"));
        Files.createDirectory(workspace);

        assertThatThrownBy(() -> pool.create(stale))
                .isInstanceOf(ConfinementException.class)
                .hasMessage("mounts: open(" + workspace + "): another object stands there now: Stale file handle");
        var first = told();
        assertThat(first instanceof PoolEvent.BuildFailed ? told() : first)
                .isEqualTo(new PoolEvent.Discarded(
                        SpecDigest.of(stale), "what it shows or protects was moved, replaced or removed on the host"));
    }

    @Test
    void a_mask_that_the_host_has_replaced_does_not_come_out_unmasked()
            throws ConfinementException, IOException, InterruptedException {
        warm(masked());
        replaceConfig(); // as git writes it
        replaceConfig(); // and again: now the first one's number may be in use once more

        assertThat(script(masked(), "echo evil > .git/config; cat .git/config"))
                .startsWith("[core]")
                .contains("Read-only file system");
        assertThat(told())
                .isEqualTo(new PoolEvent.Discarded(
                        SpecDigest.of(masked()),
                        "what it shows or protects was moved, replaced or removed on the host"));
    }

    @Test
    void a_masked_file_that_is_only_written_to_stays_masked_and_keeps_the_cage()
            throws ConfinementException, IOException, InterruptedException {
        warm(masked());
        Files.writeString(workspace.resolve(".git/config"), "[user]\n");

        assertThat(script(masked(), "cat .git/config; echo evil > .git/config"))
                .startsWith("[user]\n")
                .contains("Read-only file system");
        assertThat(pool.counts().claimed()).isEqualTo(1);
    }

    private void replaceConfig() throws IOException {
        var lock = workspace.resolve(".git/config.lock");
        Files.writeString(lock, "[core]\n");
        Files.move(lock, workspace.resolve(".git/config"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void a_name_that_became_protected_meanwhile_is_protected() throws ConfinementException, InterruptedException {
        warm(spec());

        assertThat(script(masked(), "echo evil > .git/config")).contains("Read-only file system");
        assertThat(pool.counts().missed()).isEqualTo(1);
    }

    @Test
    void a_waiting_cage_that_died_is_destroyed_and_told() throws ConfinementException, InterruptedException {
        warm(spec());
        var first = firstProcesses();
        assertThat(first).hasSize(1);
        first.forEach(ProcessHandle::destroyForcibly);
        first.getFirst().onExit().join();

        assertThat(script(spec(), "echo another")).isEqualTo("another\n");
        assertThat(told()).isInstanceOf(PoolEvent.Discarded.class);
        assertThat(pool.counts().claimed() + pool.counts().missed()).isEqualTo(1);
    }

    /// The spawn server's children.
    private static List<ProcessHandle> firstProcesses() {
        return ProcessHandle.current()
                .children()
                .flatMap(ProcessHandle::children)
                .toList();
    }

    @Test
    void one_that_waited_too_long_makes_room_for_another() throws ConfinementException, InterruptedException {
        var ageing = open(new PoolBounds(4, Duration.ofMillis(50), Duration.ofHours(1)));
        try (ageing) {
            ageing.keep(spec(), 1);

            assertThat(told()).isEqualTo(new PoolEvent.Discarded(SpecDigest.of(spec()), "it has waited for PT0.05S"));
            assertThat(told()).isEqualTo(new PoolEvent.Discarded(SpecDigest.of(spec()), "it has waited for PT0.05S"));
        }
    }

    @Test
    void a_specification_nobody_asks_for_is_forgotten() throws ConfinementException, InterruptedException {
        var impatient = open(new PoolBounds(4, Duration.ofHours(1), Duration.ofSeconds(10)));
        try (impatient) {
            impatient.keep(spec(), 1);
            assertThat(impatient.awaitReady(spec(), PATIENCE)).isTrue();

            assertThat(told()).isEqualTo(new PoolEvent.Forgotten(SpecDigest.of(spec())));
            assertThat(impatient.counts().ready()).isZero();
        }
    }

    @Test
    void a_cage_that_cannot_be_built_ahead_is_told() throws ConfinementException, IOException, InterruptedException {
        var gone = spec();
        Files.move(workspace, workspace.resolveSibling("moved"));
        pool.keep(gone, 1);

        assertThat(told()).isInstanceOfSatisfying(PoolEvent.BuildFailed.class, failed -> {
            assertThat(failed.spec()).isEqualTo(SpecDigest.of(gone));
            assertThat(failed.cause()).hasMessage("workspace: statx(" + workspace + "): No such file or directory");
        });
        assertThat(pool.counts().failed()).isEqualTo(1);
    }

    @Test
    void what_is_enforced_is_the_same() throws ConfinementException, InterruptedException {
        warm(masked());
        try (var waited = pool.create(masked());
                var runtime = NamespacesRuntime.start();
                var built = runtime.create(masked())) {
            assertThat(waited.enforcement()).isEqualTo(built.enforcement());
        }
        assertThat(pool.counts().claimed()).isEqualTo(1);
    }

    @Test
    void a_waiting_cage_holds_at_most_four_descriptors()
            throws ConfinementException, IOException, InterruptedException {
        warm(spec());
        int before = descriptors();
        pool.keep(spec(), 11);
        assertThat(pool.awaitReady(spec(), PATIENCE)).isTrue();

        assertThat(descriptors() - before).isLessThanOrEqualTo(10 * 4);
    }

    @Test
    void a_closed_pool_leaves_nothing_behind() throws ConfinementException, IOException, InterruptedException {
        int before = descriptors();
        var other = open(PoolBounds.DEFAULT);
        other.keep(spec(), 5);
        assertThat(other.awaitReady(spec(), PATIENCE)).isTrue();
        assertThat(descriptors()).isGreaterThan(before);
        other.close();

        assertThat(descriptors()).isLessThanOrEqualTo(before);
        assertThat(firstProcesses()).isEmpty();
    }

    private static int descriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        }
    }

    @Test
    void fewer_can_be_wanted_and_none() throws ConfinementException, InterruptedException {
        pool.keep(spec(), 3);
        assertThat(pool.awaitReady(spec(), PATIENCE)).isTrue();
        pool.keep(spec(), 1);
        assertThat(told()).isEqualTo(new PoolEvent.Discarded(SpecDigest.of(spec()), "fewer are wanted"));
        assertThat(pool.counts().ready()).isEqualTo(1);
        pool.keep(spec(), 0);

        assertThat(pool.counts().ready()).isZero();
        assertThat(pool.awaitReady(spec(), Duration.ofMillis(1))).isFalse();
    }

    @Test
    void more_than_the_bounds_allow_is_refused() throws ConfinementException {
        pool.keep(spec(), 10);

        assertThatThrownBy(() -> pool.keep(masked(), 55))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spares: 55 beside 10 of other specifications (expected: at most 64 together)");
        pool.keep(masked(), 0);
    }

    @Test
    void a_cage_that_writes_to_a_sessions_folder_is_not_built_ahead() throws ConfinementException, IOException {
        var folder = HostDirectory.open(
                ByteString.of(
                        Files.createDirectory(workspace.resolveSibling("copy")).toString()),
                Access.READ_WRITE);
        var copied = spec().withDiversions(
                        List.of(new Diversion(spec().workspace().path(), Diversion.Kind.REPLACEMENT, folder)));

        assertThatThrownBy(() -> pool.keep(copied, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("diversions: 1 (expected: none in a cage built ahead)");
    }

    @Test
    void many_callers_get_a_cage_each() throws ConfinementException, IOException, InterruptedException {
        pool.keep(spec(), 4);
        assertThat(pool.awaitReady(spec(), PATIENCE)).isTrue();
        var pids = new LinkedBlockingQueue<Long>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 12; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try (var cage = pool.create(spec())) {
                    pids.add(cage.initPid());
                } catch (ConfinementException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }

        assertThat(pids).hasSize(12).doesNotHaveDuplicates();
        assertThat(pool.counts().claimed()).isGreaterThanOrEqualTo(4);
    }
}
