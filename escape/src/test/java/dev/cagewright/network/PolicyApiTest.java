package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs of a cage that read why they were refused, and ask for more, with the packaged product and the clients that
/// this machine has. A client that it does not have is skipped with that reason.
class PolicyApiTest {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();

    /// Is refused, reads why, asks for exactly that, and goes on; then asks for too much.
    private static final String IN_PYTHON = """
            import json, os, sys, urllib.error, urllib.request
            API = "https://cagewright.internal/v1/"
            def call(url, body=None):
                data = None if body is None else json.dumps(body).encode()
                request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
                try:
                    answer = urllib.request.urlopen(request, timeout=60)
                except urllib.error.HTTPError as e:
                    answer = e
                return answer.status, answer.read().decode()
            def told(url, body=None):
                status, text = call(url, body)
                return status, json.loads(text)
            target = "http://a.test:%s/ok/x" % sys.argv[1]
            status, refused = told(target)
            print("first", status, refused["decision"] == refused["instance"].rsplit("/", 1)[1], "ask" in refused)
            status, why = told(refused["instance"])
            print("why", status, why["outcome"], why["code"], why["ask_with"]["host"], why["ask_with"]["paths"])
            status, state = told(API + "allowlist/requests", why["ask_with"])
            print("asked", status, state["state"])
            print("state", told(state["status_url"])[1]["state"])
            print("then", *call(target))
            print("listed", [grant["host"] for grant in told(API + "allowlist")[1]["granted"]])
            for body in ({"host": "b.test", "why": "x"}, dict(why["ask_with"], paths=["/**"]),
                         dict(why["ask_with"], methods=["DELETE"]), dict(why["ask_with"], ports=[22])):
                status, state = told(API + "allowlist/requests", body)
                print("beyond", status, state["state"])
            print("odd", told(API + "allowlist/requests", {"host": "10.0.0.5", "why": "x"})[1]["at"])
            print("elsewhere", call("http://a.test:%s/no" % sys.argv[1])[0])
            """;

    private static final String IN_NODE = """
            const api = 'https://cagewright.internal/v1/';
            const target = `http://a.test:${process.argv[2]}/ok/x`;
            const post = (body) => fetch(api + 'allowlist/requests', {method: 'POST', body: JSON.stringify(body),
              headers: {'content-type': 'application/json'}});
            const refused = await (await fetch(target)).json();
            const why = await (await fetch(refused.instance)).json();
            console.log('why', why.outcome, why.code);
            const granted = await post(why.ask_with);
            console.log('asked', granted.status, (await granted.json()).state);
            const then = await fetch(target);
            console.log('then', then.status, (await then.text()).trim());
            const beyond = await post({host: 'b.test', why: 'x'});
            console.log('beyond', beyond.status, (await beyond.json()).state);
            """;

    /// curl in every way that it can speak.
    private static final String WITH_CURL = """
            import subprocess, sys
            def curl(*words):
                return subprocess.run(["curl", "-sS", "-m", "60", *words], capture_output=True, text=True).stdout
            base = "://cagewright.internal/v1/"
            code = ["-o", "/dev/null", "-w", "%{http_code} %{http_version}\\n"]
            print("h1", curl("--http1.1", *code, "https" + base), end="")
            print("h2", curl("--http2", *code, "https" + base), end="")
            print("clear", curl(*code, "http" + base), end="")
            for proxy in ("http://127.0.0.1:3128", "http://[2001:db8::1]:3128"):
                print("tunnel", curl("-x", proxy, *code, "https" + base), end="")
                print("full", curl("-x", proxy, *code, "http" + base), end="")
            print("head", curl("-I", *code, "https" + base), end="")
            print("other", curl("-X", "DELETE", *code, "https" + base + "allowlist"), end="")
            print("large", curl("-d", "x" * 20000, "-H", "Content-Type: application/json", *code,
                  "https" + base + "allowlist/requests"), end="")
            print("sinkhole", curl("-k", "--resolve", "cagewright.internal:443:198.51.100.1", *code, "https" + base), end="")
            print("host", curl("-H", "Host: a.test", *code, "https" + base), end="")
            print("body", curl("http://a.test:%s/no" % sys.argv[1]))
            """;

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Outside outside;

    private Path policy = Path.of("/");
    private Path workspace = Path.of("/");

    @BeforeEach
    void open() throws Exception {
        outside = new Outside();
        workspace = Files.createDirectory(folder.resolve("workspace"));
        policy("net: {may_grant: [{hosts: [a.test], ports: [" + outside.clearPort()
                + "], methods: [GET], paths: [\"/ok/**\"], addresses: [127.0.0.1], for: 10m}]}\n");
    }

    private void policy(String net) throws IOException {
        policy = Files.writeString(
                folder.resolve("policy.yaml"), "tool: asking\nfs: {mounts: [{path: /workspace, mode: rw}]}\n" + net);
    }

    @AfterEach
    void close() {
        outside.close();
    }

    private String run(String... program) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(
                PRODUCT.toString(), "run", "--quiet", "--approvals", "never", "--policy", policy.toString(), "--"));
        words.addAll(List.of(program));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var process = new ProcessBuilder(words)
                .directory(workspace.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        process.environment()
                .putAll(Map.of(
                        "XDG_STATE_HOME", folder.resolve("state").toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        int code = process.start().waitFor();
        var said = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(code)
                .as(said + Files.readString(err, StandardCharsets.ISO_8859_1))
                .isZero();
        return said;
    }

    private String script(String program, String name, String text) throws IOException, InterruptedException {
        var script = Files.writeString(workspace.resolve(name), text);
        return run(program, script.toString(), "" + outside.clearPort());
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("state/cagewright/audit.jsonl"));
    }

    private static void requireProgram(String path) {
        assumeTrue(Files.isExecutable(Path.of(path)), path + " is not on this machine");
    }

    @Test
    void python_is_refused_reads_why_asks_and_is_let_through_and_not_a_step_further()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/python3");
        assertThat(script("python3", "ask.py", IN_PYTHON)).isEqualTo("""
                first 403 True True
                why 200 denied NO_RULE a.test ['/ok/x']
                asked 201 granted
                state granted
                then 200 GET /ok/x for a.test:PORT with 0

                listed ['a.test']
                beyond 403 denied
                beyond 403 denied
                beyond 403 denied
                beyond 403 denied
                odd /host
                elsewhere 403
                """.replace("PORT", "" + outside.clearPort()));
        assertThat(outside.asked).containsExactly("GET /ok/x for a.test:" + outside.clearPort() + " with 0");
        assertThat(log())
                .contains(
                        "\"name\":\"net.desk\"",
                        "\"method\":\"POST\",\"path\":\"/v1/allowlist/requests\",\"status\":201",
                        "\"name\":\"grant.asked\"",
                        "\"name\":\"grant.given\"")
                .doesNotContain("\"host\":\"cagewright.internal\"");
    }

    @Test
    void node_asks_in_the_same_words() throws IOException, InterruptedException {
        requireProgram("/usr/bin/node");
        assertThat(script("node", "ask.mjs", IN_NODE)).isEqualTo("""
                why denied NO_RULE
                asked 201 granted
                then 200 GET /ok/x for a.test:PORT with 0
                beyond 403 denied
                """.replace("PORT", "" + outside.clearPort()));
    }

    @Test
    void curl_is_answered_in_every_way_that_it_speaks_and_nobody_else_by_that_name()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        requireProgram("/usr/bin/python3");
        assertThat(script("python3", "curl.py", WITH_CURL))
                .startsWith("""
                        h1 200 1.1
                        h2 200 2
                        clear 200 1.1
                        tunnel 200 2
                        full 200 1.1
                        tunnel 200 2
                        full 200 1.1
                        head 405 2
                        other 405 2
                        large 413 2
                        sinkhole 400 2
                        host 400 2
                        body {""")
                .contains("https://cagewright.internal/v1/decisions/");
        assertThat(outside.asked).isEmpty();
    }

    @Test
    void the_guide_in_the_cage_says_what_is_true_of_the_run_and_cannot_be_changed()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/python3");
        var script = """
                import os
                place = os.environ["CAGEWRIGHT_AGENTS_MD"]
                print(place)
                for act in (lambda: open(place, "a"), lambda: os.unlink(place), lambda: os.rename(place, place + "x")):
                    try:
                        act()
                        print("changed")
                    except OSError:
                        pass
                print(open(place).read())
                """;
        assertThat(script("python3", "read.py", script))
                .startsWith("/run/cagewright/AGENTS.md\n# You run in a Cagewright cage\n")
                .contains("https://cagewright.internal/v1/allowlist/requests")
                .doesNotContain("changed\n");
        policy("net: {hosts: [{host: a.test}]}\n");
        assertThat(script("python3", "read.py", script))
                .contains("https://cagewright.internal/v1/allowlist\n", "Nothing more is granted in this run")
                .doesNotContain("allowlist/requests");
        policy("");
        assertThat(script("python3", "read.py", script))
                .contains("The network: there is none in this run")
                .doesNotContain("cagewright.internal");
    }
}
