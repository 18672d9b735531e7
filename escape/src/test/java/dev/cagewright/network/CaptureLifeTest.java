package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Captures while a run lives, when its supervisor is killed, and on a disk without room.
class CaptureLifeTest {
    /// Asks, waits for the file `go`, and asks again.
    private static final String TWICE = """
            import os, sys, time, urllib.request
            url = f"http://a.test:{sys.argv[2]}/ok/"
            urllib.request.urlopen(url + "gzip?first").read()
            while not os.path.exists("go"): time.sleep(0.05)
            urllib.request.urlopen(url + "chunked?second").read()
            """;

    /// Asks for much, and then for little until it is refused.
    private static final String UNTIL_REFUSED = """
            import sys, time, urllib.error, urllib.request
            url = f"http://a.test:{sys.argv[2]}/ok/"
            urllib.request.urlopen(url + "large").read()
            for _ in range(200):
                try:
                    urllib.request.urlopen(url + "binary").read()
                    time.sleep(0.05)
                except urllib.error.HTTPError as refused:
                    print(refused.code, refused.read().decode())
                    break
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Caged caged;

    @BeforeEach
    void open() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not on this machine");
        caged = new Caged(folder);
    }

    @AfterEach
    void close() throws IOException {
        caged.close();
    }

    /// What can be true at some time.
    @FunctionalInterface
    private interface Fact {
        boolean holds() throws IOException, InterruptedException;
    }

    private static void await(Fact fact) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!fact.holds()) {
            assertThat(System.nanoTime()).as("in two minutes").isLessThan(end);
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    /// A run whose first request is over and kept: the log and the capture are written one beside the other.
    private Process begun() throws IOException, InterruptedException {
        var run = caged.start("run", caged.script(TWICE));
        await(() -> caged.product("net", "last").out().contains("/ok/gzip  200"));
        await(() -> caged.product("har", "last").out().contains("hello gzip"));
        return run;
    }

    @Test
    void a_session_is_followed_to_its_end_and_read_while_it_lives() throws IOException, InterruptedException {
        var run = begun();
        var follower = caged.start("follow", Caged.words("net", "last", "--follow"));
        await(() -> caged.said("follow.out").contains("/ok/gzip  200"));
        assertThat(caged.product("har", "last").out())
                .contains("/ok/gzip?first")
                .doesNotContain("second");
        assertThat(follower.isAlive()).isTrue();
        Files.writeString(caged.workspace.resolve("go"), "");
        assertThat(run.waitFor()).as(caged.said("run.err")).isZero();
        assertThat(follower.waitFor()).isZero();
        assertThat(caged.said("follow.out")).contains("/ok/chunked  200");
        assertThat(caged.product("har", "last").out()).contains("second");
    }

    @Test
    void what_a_killed_supervisor_kept_is_read_and_nothing_is_followed_any_more()
            throws IOException, InterruptedException {
        var run = begun();
        run.destroyForcibly().waitFor();
        var archive = caged.product("har", "last");
        assertThat(archive.exit()).as(archive.err()).isZero();
        assertThat(archive.out()).contains("/ok/gzip?first", "hello gzip").doesNotContain("second");
        assertThat(caged.product("net", "last", "--follow").out()).contains("/ok/gzip  200");
        assertThat(caged.kept()).doesNotContain("capture.closed");
    }

    @Test
    void a_capture_that_finds_no_room_ends_the_requests_that_it_was_to_keep() throws IOException, InterruptedException {
        assumeTrue(Files.isWritable(Path.of("/")), "only root may mount a small disk outside of a user namespace");
        Files.createDirectory(folder.resolve("state"));
        var words = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o mode=700,size=1m none \"$XDG_STATE_HOME\" && exec \"$@\"",
                "sh"));
        var line = new ArrayList<>(caged.script(UNTIL_REFUSED));
        line.addAll(2, List.of("--audit", folder.resolve("audit.jsonl").toString()));
        words.addAll(line);
        var ran = caged.run(words);
        assertThat(ran.out())
                .as(ran.err())
                .contains(
                        "403 ",
                        "the policy asks for a capture, and there is none: it cannot be written",
                        "capture:unavailable");
        assertThat(Files.readString(folder.resolve("audit.jsonl")))
                .contains("\"capture:unavailable\"", "capture.closed", "\"failure\"");
    }
}
