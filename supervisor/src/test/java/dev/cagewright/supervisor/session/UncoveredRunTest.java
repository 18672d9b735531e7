package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A person works in the repository with the host's own git while a cage stands there.
class UncoveredRunTest {
    private static final String WORKSPACE = "fs: {mounts: [{path: /workspace, mode: rw}]}\n";
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");

    @BeforeEach
    void repository() throws IOException, InterruptedException {
        workspace = new GitCage(folder).repository("workspace");
    }

    private CompletableFuture<GitCage.Said> started(String script) throws IOException, InterruptedException {
        var said = new CompletableFuture<GitCage.Said>();
        Thread.ofVirtual().start(() -> {
            try {
                said.complete(new GitCage(folder)
                        .run(
                                workspace,
                                WORKSPACE,
                                "touch .git/ready; until [ -e .git/go ]; do sleep 0.02; done; " + script));
            } catch (Exception | AssertionError e) {
                said.completeExceptionally(new CompletionException(e));
            }
        });
        await(workspace.resolve(".git/ready"), "");
        return said;
    }

    private void go() throws IOException {
        Files.writeString(workspace.resolve(".git/go"), "");
    }

    private static void await(Path file, String text) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!(Files.exists(file) && Files.readString(file).contains(text))) {
            assertThat(System.nanoTime()).as("%s: %s", file, text).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void awaitNote(String text) throws IOException, InterruptedException {
        await(folder.resolve("audit.jsonl"), text);
    }

    private void host(String... arguments) throws IOException, InterruptedException {
        new GitCage(folder).git(workspace, arguments);
    }

    private String config() throws IOException {
        return Files.readString(workspace.resolve(".git/config"));
    }

    @Test
    void the_hosts_git_works_beside_a_cage_and_its_settings_stay_out_of_reach()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var said = started("""
                printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config; git config core.pager evil
                echo evil > .git/x; mv .git/x .git/config; git status -s""");
        host("config", "remote.origin.url", "https://example.com/a.git");
        awaitCovers(said, 1);
        host("config", "branch.main.remote", "origin");
        awaitCovers(said, 2);
        host("config", "branch.main.merge", "refs/heads/main");
        awaitCovers(said, 3);
        go();
        var ended = said.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended.outcome().exit().cause()).isEqualTo(Exit.Cause.EXITED);
        assertThat(ended.text()).contains("Device or resource busy");
        assertThat(config())
                .contains("https://example.com/a.git", "remote = origin", "merge = refs/heads/main")
                .doesNotContain("evil");
        assertThat(ended.afterwards()).noneMatch(line -> line.contains("replaced on the host"));
    }

    @Test
    void what_starts_a_program_does_not_stay_and_ends_the_run()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var said = started("sleep 600");
        host("config", "core.fsmonitor", "/tmp/evil");
        var ended = said.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended.outcome().exit().cause()).isEqualTo(Exit.Cause.UNCOVERED);
        assertThat(config()).contains("Person").doesNotContain("fsmonitor");
        assertThat(ended.afterwards())
                .anyMatch(line -> line.startsWith(".git/config: was replaced on the host")
                        && line.endsWith("it was taken out: core.fsmonitor = /tmp/evil"));
    }

    @Test
    void what_git_would_not_read_is_put_back()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var before = config();
        var said = started("sleep 600");
        var next = Files.writeString(workspace.resolve(".git/next"), "[core\n");
        Files.move(next, workspace.resolve(".git/config"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(said.get(PATIENCE_SECONDS, TimeUnit.SECONDS).outcome().exit().cause())
                .isEqualTo(Exit.Cause.UNCOVERED);
        assertThat(config()).isEqualTo(before);
    }

    @Test
    void a_link_in_the_place_of_the_settings_ends_the_run()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Files.writeString(workspace.resolve("own"), "[core]\n\tfsmonitor = evil\n");
        var said = started("sleep 600");
        var next = Files.createSymbolicLink(workspace.resolve(".git/next"), workspace.resolve("own"));
        Files.move(next, workspace.resolve(".git/config"), StandardCopyOption.ATOMIC_MOVE);
        var ended = said.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended.outcome().exit().cause()).isEqualTo(Exit.Cause.UNCOVERED);
        assertThat(ended.afterwards())
                .anyMatch(line -> line.startsWith(".git/config: is not as git writes it: look at it"));
    }

    /// It has some luck now and then, and nothing comes of it.
    @Test
    void whoever_tries_all_the_time_leaves_nothing_that_git_would_start()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var said = started("""
                python3 -c '
                import os
                while True:
                  try: fd = os.open(".git/config", os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
                  except OSError: continue
                  os.write(fd, b"[core]\\n\\tfsmonitor = evil\\n")
                ' & sleep 600""");
        go();
        for (int round = 0; round < 25 && !said.isDone(); round++) {
            host("config", "branch.main.description", "round " + round);
            awaitCovers(said, round + 1);
            assertThat(said.isDone() || !config().contains("fsmonitor")).isTrue();
        }
        if (!said.isDone()) {
            host("config", "core.pager", "ends it");
        }
        assertThat(said.get(PATIENCE_SECONDS, TimeUnit.SECONDS).outcome().exit().cause())
                .isEqualTo(Exit.Cause.UNCOVERED);
        assertThat(config()).doesNotContain("fsmonitor", "ends it");
    }

    /// As many times, or until the run is over.
    private void awaitCovers(CompletableFuture<GitCage.Said> said, int times) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!said.isDone() && covers() < times) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private int covers() throws IOException {
        return Files.readString(folder.resolve("audit.jsonl")).split("mask.covered", -1).length - 1;
    }

    @Test
    void another_file_that_is_replaced_is_told_of()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Files.writeString(workspace.resolve(".envrc"), "old\n");
        var said = started("echo evil >> .envrc");
        var next = Files.writeString(workspace.resolve("next"), "new\n");
        Files.move(next, workspace.resolve(".envrc"), StandardCopyOption.ATOMIC_MOVE);
        awaitNote("\"places\":[\".envrc\"]");
        go();
        var ended = said.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended.text()).contains("Read-only file system");
        assertThat(workspace.resolve(".envrc")).hasContent("new\n");
        assertThat(ended.afterwards()).anyMatch(line -> line.startsWith(".envrc: was replaced on the host"));
    }
}
