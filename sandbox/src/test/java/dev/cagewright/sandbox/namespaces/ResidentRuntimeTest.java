package dev.cagewright.sandbox.namespaces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.conformance.Ran;
import dev.cagewright.sandbox.kernel.Processes;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runtime that keeps first processes ready.
class ResidentRuntimeTest {
    private static final int AHEAD = 4;
    private static final int RUNS = 500;
    private static final int AT_A_TIME = 4;

    @TempDir
    private Path folder;

    private Path workspace;

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
    }

    private CageSpec spec() throws ConfinementException {
        return CageSpec.of("test", HostDirectory.open(ByteString.of(workspace.toString()), Access.READ_WRITE));
    }

    private void runTrue(Runtime runtime) throws ConfinementException, InterruptedException {
        try (var cage = runtime.create(spec())) {
            assertThat(Ran.program(cage, workspace.toString(), "/bin/true")
                            .exit()
                            .status())
                    .isZero();
        }
    }

    /// Those that wait and those of cages: what the spawn servers below this process have started.
    private static List<ProcessHandle> firstProcesses() {
        return ProcessHandle.current()
                .children()
                .flatMap(ProcessHandle::children)
                .toList();
    }

    @Test
    void five_hundred_cages_leave_nothing_behind() throws ConfinementException, IOException, InterruptedException {
        var before = Owned.now();
        var failures = new ConcurrentLinkedQueue<Throwable>();
        try (var runtime = NamespacesRuntime.start(AHEAD)) {
            var threads = IntStream.range(0, AT_A_TIME)
                    .mapToObj(_ -> Thread.ofPlatform().start(() -> {
                        try {
                            for (int i = 0; i < RUNS / AT_A_TIME; i++) {
                                runTrue(runtime);
                            }
                        } catch (ConfinementException | InterruptedException | AssertionError e) {
                            failures.add(e);
                        }
                    }))
                    .toList();
            for (var thread : threads) {
                thread.join();
            }
        }

        assertThat(failures).isEmpty();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Owned.now().equals(before) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20); // others of the machine mount and unmount too
        }
        assertThat(Owned.now()).isEqualTo(before);
    }

    /// What this process owns of what a cage takes.
    private record Owned(long processes, long descriptors, long mounts, List<String> groups) {
        static Owned now() throws IOException {
            var mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1);
            try (var open = Files.list(Path.of("/proc/self/fd"))) {
                return new Owned(
                        ProcessHandle.current().descendants().count(), open.count(), mounts.size(), groups(mounts));
            }
        }

        private static List<String> groups(List<String> mounts) throws IOException {
            var mine = "cagewright-" + ProcessHandle.current().pid() + "-";
            var found = new ArrayList<String>();
            for (var line : mounts) {
                if (line.contains(" - cgroup")) {
                    find(Path.of(line.split(" ", -1)[4]), mine, 4, found);
                }
            }
            return found;
        }

        /// Groups of others come and go while it looks.
        private static void find(Path folder, String prefix, int depth, List<String> found) {
            try (var children = Files.newDirectoryStream(folder, Files::isDirectory)) {
                for (var child : children) {
                    if (String.valueOf(child.getFileName()).startsWith(prefix)) {
                        found.add(child.toString());
                    }
                    if (depth > 1) {
                        find(child, prefix, depth - 1, found);
                    }
                }
            } catch (IOException | DirectoryIteratorException _) {
                return;
            }
        }
    }

    @Test
    void one_that_died_while_it_waited_is_not_used() throws ConfinementException, InterruptedException {
        try (var runtime = NamespacesRuntime.start(AHEAD)) {
            runTrue(runtime);
            for (var waiting : firstProcesses()) {
                waiting.destroyForcibly();
                waiting.onExit().join();
            }
            // its end is noticed by another thread: either it is known already, or the cage says that it is gone
            for (int i = 0; i < AHEAD; i++) {
                try {
                    runTrue(runtime);
                } catch (ConfinementException e) {
                    assertThat(e).hasMessage("cage: recvmsg(cage): the cage's first process is gone");
                }
            }
            runTrue(runtime);
        }
    }

    @Test
    void a_refused_specification_leaves_the_next_cage_alone()
            throws ConfinementException, IOException, InterruptedException {
        try (var runtime = NamespacesRuntime.start(AHEAD)) {
            var stale = spec();
            Files.move(workspace, workspace.resolveSibling("moved"));
            Files.createDirectory(workspace);

            assertThatThrownBy(() -> runtime.create(stale))
                    .isInstanceOf(ConfinementException.class)
                    .hasMessage("mounts: open(" + workspace + "): another object stands there now: Stale file handle");
            runTrue(runtime);
        }
    }

    @Test
    void what_is_mounted_for_one_cage_is_not_seen_by_one_that_waited()
            throws ConfinementException, IOException, InterruptedException {
        try (var runtime = NamespacesRuntime.start(AHEAD)) {
            runTrue(runtime); // now some wait
            Files.writeString(workspace.resolve("late"), "made after they began to wait\n");
            try (var cage = runtime.create(spec())) {
                var ran = Ran.script(cage, workspace.toString(), "cat late; wc -l < /proc/self/mountinfo");
                try (var other = NamespacesRuntime.start();
                        var built = other.create(spec())) {
                    assertThat(ran.out())
                            .isEqualTo(Ran.script(built, workspace.toString(), "cat late; wc -l < /proc/self/mountinfo")
                                    .out())
                            .startsWith("made after they began to wait\n");
                }
            }
        }
    }

    @Test
    void one_that_waits_for_a_user_is_not_used_for_another()
            throws ConfinementException, IOException, InterruptedException {
        var other = Files.createDirectory(folder.toRealPath().resolve("other"));
        if (Processes.effectiveUser() == 0) {
            Files.setAttribute(other, "unix:uid", 1234);
            Files.setAttribute(other, "unix:gid", 1235);
        }
        try (var runtime = NamespacesRuntime.start(AHEAD)) {
            for (var each : List.of(workspace, workspace, workspace, workspace, other, other, workspace, other)) {
                var directory = HostDirectory.open(ByteString.of(each.toString()), Access.READ_WRITE);
                var user = CageUser.ownerOf(directory.identity());
                try (var cage = runtime.create(CageSpec.of("test", directory))) {
                    var ran = Ran.script(cage, each.toString(), "id -u; id -g; echo mine > file; stat -c %u file");
                    assertThat(ran.out()).isEqualTo(user.uid() + "\n" + user.gid() + "\n" + user.uid() + "\n");
                }
                assertThat(Files.getOwner(each.resolve("file"))).isEqualTo(Files.getOwner(each));
            }
        }
    }

    @Test
    void only_so_many_can_wait() {
        assertThatThrownBy(() -> NamespacesRuntime.start(17))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ahead: 17 (expected: 0 to 16)");
        assertThat(firstProcesses()).isEmpty();
    }
}
