package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run that stands still because a decoy was used where it may not be, and what was under way when it goes on.
class PauseTest {
    private static final int PATIENCE_SECONDS = 60;

    private static final String SCRIPT = """
            import http.client, os, ssl, sys
            secure, clear = int(sys.argv[1]), int(sys.argv[2])
            trust = ssl.create_default_context()
            def fresh():
                return http.client.HTTPSConnection("a.test", secure, timeout=50, context=trust)
            def get(connection, path, headers={}):
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                answer.read()
                return answer.status
            kept, stream = fresh(), fresh()
            print("kept", get(kept, "/ok/one"), flush=True)
            stream.request("GET", "/ok/drip")
            answer = stream.getresponse()
            print("stream", answer.read(5), flush=True)
            shown = {"Authorization": "Bearer " + os.environ["GITHUB_TOKEN"]}
            print("shown", get(http.client.HTTPConnection("a.test", clear, timeout=50), "/ok/x", shown), flush=True)
            print("stream", answer.read(5), flush=True)
            print("kept", get(kept, "/ok/two"), flush=True)
            print("fresh", get(fresh(), "/ok/three"), flush=True)
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Caged caged;

    @BeforeEach
    void open() throws IOException, InterruptedException, GeneralSecurityException {
        assertThat(Path.of("/usr/bin/python3"))
                .as("a tool that this test needs")
                .isExecutable();
        caged = new Caged(folder);
        caged.change(
                "capture:",
                "credentials: [{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [a.test], in: [header]}]\n"
                        + "inspect: {decoys: pause}\ncapture:");
        var file = Files.writeString(folder.resolve("key.txt"), "ghp_REALvalue0123456789abcdefghijklm0123\n");
        assertThat(caged.product("secret", "set", "GITHUB_TOKEN", "--from-file", file.toString())
                        .exit())
                .isZero();
    }

    @AfterEach
    void close() throws IOException {
        caged.close();
    }

    @Test
    void B246_a_stream_a_kept_connection_and_a_new_one_work_when_a_paused_run_goes_on()
            throws IOException, InterruptedException {
        var run = caged.start("paused", caged.script(SCRIPT));
        try {
            awaitPause();
            assertThat(run.isAlive()).isTrue();
            assertThat(caged.said("paused.out")).doesNotContain("fresh");

            var resumed = caged.product("resume", "last");

            assertThat(resumed.exit()).as(resumed.err()).isZero();
            assertThat(run.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(caged.said("paused.out").lines())
                    .as(caged.said("paused.err"))
                    .containsExactly(
                            "kept 200", "stream b'drip\\n'", "shown 403", "stream b'drip\\n'", "kept 200", "fresh 200");
            assertThat(run.exitValue()).isZero();
        } finally {
            run.destroy();
        }
    }

    private void awaitPause() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!caged.product("ls").out().contains("paused")) {
            assertThat(System.nanoTime())
                    .as("paused in time: %s", caged.said("paused.err"))
                    .isLessThan(end);
        }
    }
}
