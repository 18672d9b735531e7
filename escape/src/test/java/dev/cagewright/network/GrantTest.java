package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Grants from another terminal while a cage runs, with the packaged product and real clients: what is granted is
/// reached, nothing else is, and what is over is over at once.
class GrantTest {
    /// Asks until it is granted, begins what does not end by itself, and says how that ends.
    private static final String SCRIPT = """
            import os, socket, subprocess, sys, time
            secure, clear, chat = sys.argv[1:4]
            def status(url, *words):
                return subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", *words, url],
                                      capture_output=True, text=True).stdout
            def say(*words):
                print(*words, flush=True)
            say("before", status(f"https://a.test:{secure}/ok/x"))
            while status(f"https://a.test:{secure}/ok/x") != "200":
                time.sleep(0.1)
            say("granted")
            say("path", status(f"https://a.test:{secure}/no"), "method", status(f"https://a.test:{secure}/ok/x", "-d", "x"),
                "host", status("https://b.test/ok/x"))
            s = socket.create_connection(("a.test", int(chat)))
            s.sendall((f"GET /ok/chat HTTP/1.1\\r\\nHost: a.test:{chat}\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n"
                       "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
            f = s.makefile("rb")
            say("socket", f.readline().split()[1].decode())
            while f.readline() != b"\\r\\n": pass
            drip = subprocess.Popen(["curl", "-sS", "-N", "-o", "drip", f"https://a.test:{secure}/ok/drip"], stderr=subprocess.DEVNULL)
            while not os.path.exists("drip") or os.path.getsize("drip") == 0:
                time.sleep(0.05)
            say("under way")
            say("whole" if drip.wait() == 0 else "cut")
            try:
                say("closed" if f.read(1) == b"" else "open")
            except ConnectionError:
                say("closed")
            say("after", status(f"https://a.test:{secure}/ok/x"))
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Caged caged;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException {
        for (String program : new String[] {"/usr/bin/curl", "/usr/bin/python3"}) {
            assumeTrue(Files.isExecutable(Path.of(program)), program + " is not on this machine");
        }
        caged = new Caged(folder);
        Files.writeString(
                caged.policy, """
                tool: networked # the cage's name
                fs: {mounts: [{path: /workspace, mode: rw}]}
                net:
                  upstream_ca: ROOTS
                  hosts:
                    # what it always needs
                    - host: other.test
                """.replace("ROOTS", caged.outside.roots(folder).toString()));
    }

    @AfterEach
    void close() throws IOException {
        caged.close();
    }

    /// A run whose script talks into a file.
    private final class Run implements AutoCloseable {
        private final Process process;

        Run(String script, String... options) throws IOException {
            var words = new ArrayList<>(caged.script(script));
            words.addAll(words.indexOf("run") + 1, List.of(options));
            process = caged.start("run", words);
        }

        void awaits(String word) throws IOException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            while (!caged.said("run.out").contains(word)) {
                boolean isVain = !process.isAlive() && !caged.said("run.out").contains(word);
                if (isVain || System.nanoTime() > end) {
                    throw new AssertionError(
                            "never said " + word + ": " + caged.said("run.out") + caged.said("run.err"));
                }
                LockSupport.parkNanos(20_000_000);
            }
        }

        void ends() throws InterruptedException, IOException {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(process.exitValue()).as(caged.said("run.err")).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private Caged.Ran grants(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("grants"));
        all.addAll(List.of(words));
        return caged.product(all.toArray(String[]::new));
    }

    private Caged.Ran add(String time) throws IOException, InterruptedException {
        return grants(
                "add",
                "last",
                "--host",
                "a.test",
                "--port",
                caged.outside.securePort() + "," + caged.answers.socketPort(),
                "--path",
                "/ok/**",
                "--address",
                "127.0.0.1",
                "--expires-in",
                time);
    }

    private static String id(Caged.Ran added) {
        assertThat(added.exit()).as(added.err()).isZero();
        return added.out().substring(0, added.out().indexOf(':'));
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("state/cagewright/audit.jsonl"));
    }

    @Test
    void B021_a_grant_opens_what_it_names_and_its_end_closes_everything_of_it()
            throws IOException, InterruptedException {
        try (var run = new Run(SCRIPT)) {
            run.awaits("before 403");
            var id = id(add("2h"));
            run.awaits("under way");
            assertThat(caged.said("run.out")).contains("path 403 method 403 host 403", "socket 101");
            assertThat(grants("list").out()).contains(id, "GET, HEAD a.test:", "/ok/** at 127.0.0.1");
            assertThat(grants("list", "--json").out()).contains("\"standing\":\"granted\"", "\"host\":\"a.test\"");
            promoted(id);
            assertThat(grants("sync").out())
                    .contains(id + ": " + caged.policy + " allows it by now", "0 forgotten, 1 hold");

            var revoked = grants("revoke", "last", id);

            assertThat(revoked.exit()).as(revoked.err()).isZero();
            run.ends();
            assertThat(caged.said("run.out")).endsWith("cut\nclosed\nafter 403\n");
            assertThat(log())
                    .contains(
                            "\"rules\":[\"grant:" + id + "\"",
                            "\"name\":\"grant.given\"",
                            "\"name\":\"grant.revoked\"",
                            "\"why\":\"it is allowed no longer: its grant is over: no rule of net.hosts names this host\"");
            assertThat(caged.product("why", id).out())
                    .contains("note     grant.asked {", "note     grant.given {", "note     grant.revoked {")
                    .contains("given by command", "/ok/**");
            assertThat(grants("list").err()).contains("nothing is granted");
        }
        assertThat(grants("list", "--all").out()).contains("revoked");
        assertThat(grants("sync").out()).isEqualTo("1 forgotten, 0 hold\n");
        assertThat(grants("list", "--all").err()).contains("nothing is granted");
        var next = caged.run(Caged.words(
                "run",
                "--quiet",
                "--policy",
                caged.policy.toString(),
                "--",
                "curl",
                "-sS",
                "https://a.test:" + caged.outside.securePort() + "/ok/x"));
        assertThat(next.out()).startsWith("GET /ok/x ");
    }

    /// What is granted becomes a rule of the next run, and everything else of the file stays as it was.
    private void promoted(String id) throws IOException, InterruptedException {
        var before = Files.readString(caged.policy);
        var tried = grants("promote", id, "--policy", caged.policy.toString(), "--dry-run");
        assertThat(tried.out()).contains("+    - {host: a.test, methods: [GET, HEAD], paths: [");
        assertThat(Files.readString(caged.policy)).isEqualTo(before);

        var inside = Files.writeString(caged.workspace.resolve("own.yaml"), before);
        assertThat(grants("promote", id, "--policy", inside.toString()).err())
                .contains("lies in the workspace of session");
        assertThat(Files.readString(inside)).isEqualTo(before);

        var done = grants("promote", "last", id, "--policy", caged.policy.toString());
        assertThat(done.exit()).as(done.err()).isZero();
        assertThat(done.out()).contains("+ net.hosts: GET a.test:");
        assertThat(Files.readString(caged.policy)).startsWith(before);
        assertThat(grants("promote", id, "--policy", caged.policy.toString()).err())
                .contains("allows it already");
        assertThat(log()).contains("\"name\":\"grant.promoted\"");
    }

    @Test
    void time_alone_ends_a_grant_and_what_is_under_way() throws IOException, InterruptedException {
        try (var run = new Run(SCRIPT)) {
            run.awaits("before 403");
            id(add("20s"));
            run.ends();
            assertThat(caged.said("run.out")).endsWith("cut\nclosed\nafter 403\n");
            assertThat(log()).contains("\"name\":\"grant.expired\"");
        }
    }

    @Test
    void I2_no_secret_goes_with_what_is_only_granted() throws IOException, InterruptedException {
        var value = "ghp_REALvalue0123456789abcdefghijklm0123";
        var file = Files.writeString(folder.resolve("key.txt"), value + "\n");
        var stored = caged.product("secret", "set", "GITHUB_TOKEN", "--from-file", file.toString());
        assertThat(stored.exit()).as(stored.err()).isZero();
        Files.writeString(
                caged.policy,
                Files.readString(caged.policy)
                        + "    - {host: a.test, port: " + caged.outside.securePort()
                        + ", paths: [/only], addresses: [127.0.0.1]}\n"
                        + "credentials: [{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [a.test], in: [header]}]\n");
        try (var run = new Run("""
                import os, subprocess, sys, time
                key = "Authorization: Bearer " + os.environ["GITHUB_TOKEN"]
                def ask(path, *words):
                    url = f"https://a.test:{sys.argv[1]}" + path
                    return subprocess.run(["curl", "-sS", *words, url], capture_output=True, text=True).stdout
                print("before", flush=True)
                while not ask("/ok/x").startswith("GET"):
                    time.sleep(0.1)
                print("with " + ask("/ok/x", "-H", key), flush=True)
                print("rule " + ask("/only", "-H", key), flush=True)
                """)) {
            run.awaits("before");
            id(add("5m"));
            run.ends();
            assertThat(caged.said("run.out")).contains("\"status\":403", "\"rule\":\"grant:no-secret\"");
            assertThat(caged.said("run.out")).contains("rule GET /only ");
            assertThat(caged.outside.shown).as("by the rule alone").containsExactly("Bearer " + value);
        }
    }

    /// Asks for one path after the other, and says what came of it.
    private static final String ASKING = """
            import json, subprocess, sys, time
            def curl(*words):
                return subprocess.run(["curl", "-sS", *words], capture_output=True, text=True).stdout
            def ask(path):
                wish = {"host": "a.test", "ports": [int(sys.argv[1])], "paths": [path], "why": "to read it", "for": "20m"}
                state = json.loads(curl("https://cagewright.internal/v1/allowlist/requests",
                                        "-H", "Content-Type: application/json", "-d", json.dumps(wish)))
                print(state["state"], state["id"], flush=True)
                while state["state"] == "pending":
                    time.sleep(0.1)
                    state = json.loads(curl("https://cagewright.internal/v1/requests/" + state["id"]))
                print(path, state["state"], curl("-o", "/dev/null", "-w", "%{http_code}", f"https://a.test:{sys.argv[1]}{path}"),
                      flush=True)
            ask("/ok/yes")
            ask("/ok/no")
            """;

    /// The id of the question that waits.
    private String asked(Run run, int which) throws IOException {
        var word = "pending ";
        String said;
        do {
            run.awaits(word);
            LockSupport.parkNanos(20_000_000);
            said = caged.said("run.out");
        } while (said.split(word, -1).length <= which || !said.endsWith("\n"));
        return said.split(word, -1)[which].lines().findFirst().orElseThrow();
    }

    @Test
    void what_a_program_asks_for_a_person_gives_or_refuses() throws IOException, InterruptedException {
        Files.writeString(
                caged.policy,
                Files.readString(caged.policy) + "    - {host: a.test, port: " + caged.outside.securePort()
                        + ", paths: [/only], addresses: [127.0.0.1]}\n");
        try (var run = new Run(ASKING, "--approvals", "wait")) {
            var first = asked(run, 1);
            assertThat(caged.product("approvals").out()).contains(first, "grant GET, HEAD a.test:");
            assertThat(caged.product("approve", first, "--for", "5m").exit()).isZero();
            run.awaits("/ok/yes granted 200");
            assertThat(grants("list").out()).contains(first, "/ok/yes");

            var second = asked(run, 2);
            assertThat(caged.product("deny", second).exit()).isZero();
            run.ends();
            assertThat(caged.said("run.out")).endsWith("/ok/no denied 403\n");
        }
    }

    @Test
    void what_cannot_be_granted_is_refused_with_its_reason() throws IOException, InterruptedException {
        assertThat(add("5m").err()).contains("session: there is no \"last\"");
        try (var run = new Run("""
                import os, time
                print("here", flush=True)
                while not os.path.exists("end"):
                    time.sleep(0.05)
                """)) {
            run.awaits("here");
            assertThat(grants("add", "--host", "*.a.test").err())
                    .contains("one exact host name such as api.example.com");
            assertThat(grants("add", "--host", "a.test", "--expires-in", "25h").err())
                    .contains("at most 24h");
            assertThat(grants("add", "--host", "a.test", "--address", "nowhere").err())
                    .contains("address: \"nowhere\"");
            var metadata = grants("add", "--host", "metadata.google.test");
            assertThat(metadata.exit()).isEqualTo(5);
            assertThat(metadata.err()).contains("cloud metadata and link-local addresses are never reachable");
            assertThat(grants("add", "--host", "other.test", "--path", "/x").err())
                    .contains("the policy allows it without a grant (net.hosts[0])");
            assertThat(grants("revoke", "aaaaaaaaaa-1").err()).contains("is over, and its grants with it");
            assertThat(log()).contains("\"name\":\"grant.denied\"").doesNotContain("\"name\":\"grant.given\"");
            Files.createFile(caged.workspace.resolve("end"));
            run.ends();
        }
        assertThat(grants("add", "--host", "a.test").err()).contains("session: none lives");
    }
}
