package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the host puts in the place of a protected object, while a cage stands, is protected as that was.
public abstract class UncoveredSuite extends RuntimeConformance {
    private static final int PATIENCE_SECONDS = 30;

    private BlockingQueue<List<ByteString>> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        told = new LinkedBlockingQueue<>();
    }

    private CageSpec masked(Mask... masks) throws ConfinementException {
        return spec().withMasks(List.of(masks));
    }

    private static Mask mask(Mask.Kind kind, String path) {
        return new Mask(ByteString.of(path), kind);
    }

    private Cage guarded(CageSpec spec) throws ConfinementException {
        var cage = runtime().create(spec);
        cage.guard(told::add);
        return cage;
    }

    /// As git writes its files, and most editors do.
    private void replace(String name, String content) throws IOException {
        var next = Files.writeString(workspace.resolve(name + ".lock"), content);
        Files.move(next, workspace.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private void awaitCover(String... names) throws InterruptedException {
        var covered =
                Objects.requireNonNull(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "nothing was covered again");
        var expected = new ArrayList<ByteString>();
        for (String name : names) {
            expected.add(ByteString.of(workspace.resolve(name).toString()));
        }
        assertThat(covered).containsExactlyElementsOf(expected);
    }

    @Test
    void a_file_that_the_host_replaces_stays_protected()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectory(workspace.resolve(".git"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, ".git/config")))) {
            for (int round = 0; round < 3; round++) {
                replace(".git/config", "[core]\n\tround = " + round + "\n");
                awaitCover(".git/config");
                var ran = script(
                        cage,
                        "cat .git/config; echo evil >> .git/config; mv .git moved; echo x > .git/y; mv .git/y .git/config");
                assertThat(ran.out()).isEqualTo("[core]\n\tround = " + round + "\n");
                assertThat(ran.err()).contains("Read-only file system", "busy");
            }
        }
        assertThat(workspace.resolve(".git/config")).hasContent("[core]\n\tround = 2\n");
    }

    @Test
    void a_secret_that_the_host_writes_anew_stays_hidden()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve(".env"), "secret\n");
        try (var cage = guarded(masked(mask(Mask.Kind.HIDDEN, ".env")))) {
            replace(".env", "other secret\n");
            awaitCover(".env");
            var ran = script(cage, "cat .env; cat .env.copy");
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).contains(".env: Permission denied");
        }
    }

    @Test
    void a_link_in_the_place_of_a_file_stays_there() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("settings"), "host's\n");
        Files.writeString(workspace.resolve("own"), "own\n");
        var own = ByteString.of(workspace.resolve("own").toString());
        try (var cage = guarded(masked(Mask.link(ByteString.of("settings"), own)))) {
            replace("settings", "host's again\n");
            awaitCover("settings");
            assertThat(script(cage, "cat settings; echo more >> settings").out())
                    .isEqualTo("own\n");
        }
        assertThat(workspace.resolve("settings")).hasContent("host's again\n");
        assertThat(workspace.resolve("own")).hasContent("own\nmore\n");
    }

    /// git removes a file before it writes another version of it, and some editors move the old one away.
    @Test
    void what_is_removed_and_made_anew_is_protected() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve(".envrc"), "old\n");
        Files.writeString(workspace.resolve(".bashrc"), "old\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, ".envrc"), mask(Mask.Kind.READ_ONLY, ".bashrc")))) {
            Files.delete(workspace.resolve(".envrc"));
            assertThat(script(cage, "true").exit().status()).isZero();
            Files.writeString(workspace.resolve(".envrc"), "new\n");
            awaitCover(".envrc");
            Files.move(workspace.resolve(".bashrc"), workspace.resolve(".bashrc~"));
            Files.writeString(workspace.resolve(".bashrc"), "new\n");
            awaitCover(".bashrc");
            assertThat(script(cage, "echo evil >> .envrc; echo evil >> .bashrc; echo evil >> '.bashrc~'")
                            .err())
                    .contains(".envrc: Read-only", ".bashrc: Read-only");
        }
        assertThat(workspace.resolve(".envrc")).hasContent("new\n");
        assertThat(workspace.resolve(".bashrc")).hasContent("new\n");
    }

    /// Whoever has opened a folder can go past all that is mounted in it later.
    @Test
    void a_folder_that_the_host_makes_anew_ends_the_cage()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, ".git/hooks")))) {
            var run = start(cage, "sleep 600");
            var other =
                    Files.createDirectories(workspace.resolve("other/hooks")).getParent();
            Files.move(workspace.resolve(".git"), workspace.resolve("aside"));
            Files.move(other, workspace.resolve(".git"));
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.UNCOVERED);
            assertThat(told).isEmpty();
        }
    }

    @Test
    void whoever_has_the_new_file_open_is_over() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        Files.writeString(workspace.resolve("next"), "1\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            var run = start(cage, "exec 5>>next; touch open; sleep 600; echo evil >&5");
            awaitFile("open");
            Files.move(workspace.resolve("next"), workspace.resolve("kept"), StandardCopyOption.ATOMIC_MOVE);
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.UNCOVERED);
        }
        assertThat(workspace.resolve("kept")).hasContent("1\n");
    }

    @Test
    void a_file_of_two_names_is_not_taken_for_protected()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        Files.writeString(workspace.resolve("next"), "1\n");
        Files.createLink(workspace.resolve("other"), workspace.resolve("next"));
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            var run = start(cage, "sleep 600");
            Files.move(workspace.resolve("next"), workspace.resolve("kept"), StandardCopyOption.ATOMIC_MOVE);
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.UNCOVERED);
        }
    }

    private Run start(Cage cage, String script) throws ConfinementException {
        var nothing = new ByteArrayOutputStream();
        var streams = new Streams.Pipes(new ByteArrayInputStream(new byte[0]), nothing, nothing);
        return Ran.start(cage, workspace.toString(), streams, "/bin/sh", "-c", script);
    }

    private void awaitFile(String name) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (Files.notExists(workspace.resolve(name)) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(workspace.resolve(name)).exists();
    }

    @Test
    void what_runs_goes_on_and_other_files_can_be_written()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            var out = new ByteArrayOutputStream();
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pipes(new ByteArrayInputStream(new byte[0]), out, out),
                    "/bin/sh",
                    "-c",
                    "until [ -e stop ]; do echo x > beside; sleep 0.01; done; cat kept");
            replace("kept", "1\n");
            awaitCover("kept");
            Files.writeString(workspace.resolve("stop"), "");
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.EXITED);
            assertThat(out).hasToString("1\n");
        }
    }

    @Test
    void a_cage_whose_guard_says_so_is_over() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        try (var cage = runtime().create(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            cage.guard(_ -> false);
            var run = start(cage, "sleep 600");
            replace("kept", "1\n");
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.UNCOVERED);
            assertThat(cage.isAlive()).isFalse();
        }
    }

    @Test
    void a_cage_that_somebody_holds_is_covered_and_stays_held()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            cage.pause();
            replace("kept", "1\n");
            awaitCover("kept");
            assertThat(cage.snapshot().state().name()).isEqualTo("PAUSED");
            cage.resume();
            assertThat(script(cage, "echo evil >> kept").err()).contains("Read-only");
        }
    }

    /// Tries as long as it takes to be told of again, or until it has written.
    private static final String WRITING = "until [ -e go ]; do :; done;"
            + " until [ -e stop ] || [ -e written ]; do echo evil >> kept && touch written; done 2> errors";

    /// As `git push -u`, which writes its settings twice.
    @Test
    void what_the_host_replaces_twice_lies_open_at_no_time()
            throws IOException, ConfinementException, InterruptedException {
        for (int round = 0; round < 10; round++) {
            Files.writeString(workspace.resolve("kept"), "0\n");
            try (var cage = runtime().create(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
                cage.guard(this::replaceOnceMore);
                var run = start(cage, WRITING);
                replace("kept", "1\n");
                awaitCover("kept");
                awaitCover("kept");
                Files.writeString(workspace.resolve("stop"), "");
                assertThat(run.await().cause()).isEqualTo(Exit.Cause.EXITED);
            }
            assertThat(workspace.resolve("kept")).hasContent("2\n");
            Files.delete(workspace.resolve("go"));
            Files.delete(workspace.resolve("stop"));
        }
    }

    /// Between covering and going on; all stand still.
    private boolean replaceOnceMore(List<ByteString> covered) {
        try {
            if (Files.notExists(workspace.resolve("go"))) {
                Files.writeString(workspace.resolve("go"), "");
                replace("kept", "2\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return told.add(covered);
    }

    @Test
    void a_cage_that_may_go_on_while_it_is_covered_does()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
            var run = start(cage, "until [ -e stop ]; do sleep 0.01; done");
            for (int round = 1; round <= 10; round++) {
                cage.pause();
                replace("kept", round + "\n");
                cage.resume();
                awaitCover("kept");
            }
            Files.writeString(workspace.resolve("stop"), "");
            assertThat(run.await().cause()).isEqualTo(Exit.Cause.EXITED);
            assertThat(script(cage, "echo evil >> kept").err()).contains("Read-only");
        }
    }

    /// In a copy a mask lies on the copy.
    @Test
    void a_session_copy_is_not_disturbed(@TempDir Path layers)
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        var folder = HostDirectory.open(
                ByteString.of(Files.createDirectory(layers.toRealPath().resolve("copy"))
                        .toString()),
                Access.READ_WRITE);
        Files.writeString(layers.resolve("copy/kept"), "copy\n");
        var spec = masked(mask(Mask.Kind.READ_ONLY, "kept"));
        var copied = spec.withDiversions(
                List.of(new Diversion(ByteString.of(workspace.toString()), Diversion.Kind.REPLACEMENT, folder)));
        try (var cage = guarded(copied)) {
            replace("kept", "1\n");
            assertThat(script(cage, "cat kept; echo evil >> kept").out()).isEqualTo("copy\n");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void a_cage_can_be_killed_at_any_time_meanwhile() throws IOException, ConfinementException {
        Files.writeString(workspace.resolve("kept"), "0\n");
        for (int round = 0; round < 20; round++) {
            try (var cage = guarded(masked(mask(Mask.Kind.READ_ONLY, "kept")))) {
                replace("kept", round + "\n");
                cage.kill(KillReason.REQUESTED);
                assertThat(cage.isAlive()).isFalse();
            }
        }
    }
}
