package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stored secret from its store to an origin and back, with the packaged product: used, and seen by nobody in
/// between.
class SecretTest {
    private static final String VALUE = "ghp_REALvalue0123456789abcdefghijklm0123";

    /// Shows its variable to the origin, over TLS and in the clear, and prints what comes back.
    private static final String SCRIPT = """
            import os, subprocess, sys
            key = os.environ["GITHUB_TOKEN"]
            print("decoy " + key, flush=True)
            for url in f"https://a.test:{sys.argv[1]}/ok/tls", f"http://a.test:{sys.argv[2]}/ok/clear":
                subprocess.run(["curl", "-sS", url, "-H", "Authorization: Bearer " + key])
                print(flush=True)
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Caged caged;

    @BeforeEach
    void open() throws IOException, InterruptedException, GeneralSecurityException {
        for (String program : new String[] {"/usr/bin/curl", "/usr/bin/python3"}) {
            assumeTrue(Files.isExecutable(Path.of(program)), program + " is not on this machine");
        }
        caged = new Caged(folder);
        caged.change(
                "capture:",
                "credentials: [{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [a.test], in: [header]}]\ncapture:");
        var file = Files.writeString(folder.resolve("key.txt"), VALUE + "\n");
        var stored = caged.product("secret", "set", "GITHUB_TOKEN", "--from-file", file.toString());
        assertThat(stored.exit()).as(stored.err()).isZero();
        Files.delete(file);
    }

    @AfterEach
    void close() throws IOException {
        caged.close();
    }

    @Test
    void I2_a_cage_uses_a_key_that_it_never_sees() throws IOException, InterruptedException {
        var ran = caged.run(caged.script(SCRIPT));

        assertThat(ran.exit()).as(ran.err()).isZero();
        var decoy = ran.out().lines().findFirst().orElseThrow().substring("decoy ".length());
        assertThat(decoy).startsWith("ghp_").hasSize(VALUE.length()).isNotEqualTo(VALUE);
        assertThat(caged.outside.shown).containsExactly("Bearer " + VALUE);
        assertThat(ran.out()).contains("shown Bearer " + decoy).contains("urn:cagewright:problem:credential");
        assertNowhere(ran);
    }

    @Test
    void I2_the_host_sends_a_key_that_it_does_not_print() throws IOException, InterruptedException {
        var fetched = caged.product(
                "fetch",
                "--policy",
                caged.policy.toString(),
                "--host",
                "a.test",
                "--port",
                "" + caged.outside.securePort(),
                "--path",
                "/ok/x",
                "--cred",
                "GITHUB_TOKEN");

        assertThat(fetched.exit()).as(fetched.err()).isZero();
        assertThat(caged.outside.shown).containsExactly("Bearer " + VALUE);
        assertThat(fetched.out()).contains("/ok/x for a.test", "shown Bearer ghp_");
        assertNowhere(fetched);
    }

    @Test
    void a_secret_that_the_policy_does_not_name_is_not_sent() throws IOException, InterruptedException {
        var fetched = caged.product(
                "fetch", "--policy", caged.policy.toString(), "--host", "a.test", "--path", "/ok", "--cred", "OTHER");

        assertThat(fetched.exit()).isEqualTo(2);
        assertThat(fetched.err()).contains("OTHER", "a name that the policy has there");
        assertThat(caged.outside.asked).isEmpty();
    }

    private void assertNowhere(Caged.Ran ran) throws IOException {
        assertThat(ran.out() + ran.err()).doesNotContain(VALUE);
        assertThat(caged.kept()).doesNotContain(VALUE);
    }
}
