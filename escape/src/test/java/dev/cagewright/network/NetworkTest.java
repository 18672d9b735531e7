package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real clients in a cage that know of no proxy. One that this machine does not have is skipped with that
/// reason.
class NetworkTest {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Outside outside;

    private Path policy = Path.of("/");
    private Path workspace = Path.of("/");

    /// What a run left.
    private record Ran(int exit, String out, String err) {}

    @BeforeEach
    void open() throws Exception {
        outside = new Outside();
        workspace = Files.createDirectory(folder.resolve("workspace"));
        policy = Files.writeString(folder.resolve("policy.yaml"), """
                tool: networked
                fs: {mounts: [{path: /workspace, mode: rw}]}
                net:
                  hosts:
                    - host: a.test
                      ports: [SECURE, CLEAR]
                      methods: [GET, POST]
                      paths: ["/ok/**"]
                      addresses: [127.0.0.1]
                      upstream_ca: ROOTS
                """.replace("SECURE", "" + outside.securePort())
                .replace("CLEAR", "" + outside.clearPort())
                .replace("ROOTS", outside.roots(folder).toString()));
    }

    @AfterEach
    void close() {
        outside.close();
    }

    private Ran run(String... program) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("run", "--quiet", "--policy", policy.toString(), "--"));
        words.addAll(List.of(program));
        return product(words.toArray(String[]::new));
    }

    private Ran product(String... said) throws IOException, InterruptedException {
        int code = started(said).waitFor();
        return new Ran(
                code,
                Files.readString(folder.resolve("out"), StandardCharsets.ISO_8859_1),
                Files.readString(folder.resolve("err"), StandardCharsets.ISO_8859_1));
    }

    private Process started(String... said) throws IOException {
        var words = new ArrayList<>(List.of(PRODUCT.toString()));
        words.addAll(List.of(said));
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
        return process.start();
    }

    private static void requireProgram(String path) {
        assumeTrue(Files.isExecutable(Path.of(path)), path + " is not on this machine");
    }

    private String secure(String path) {
        return "https://a.test:" + outside.securePort() + path;
    }

    private String clear(String path) {
        return "http://a.test:" + outside.clearPort() + path;
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("state/cagewright/audit.jsonl"));
    }

    @Test
    void curl_reaches_an_allowed_host_and_the_log_says_so() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        var ran = run("curl", "-sS", secure("/ok/x?y=%2f"));
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("GET /ok/x?y=%2f for a.test:" + outside.securePort() + " with 0\n");
        assertThat(log())
                .contains(
                        "\"name\":\"http.request\",\"method\":\"GET\",\"host\":\"a.test\",\"port\":"
                                + outside.securePort() + ",\"path\":\"/ok/x\"",
                        "\"state\":\"complete\",\"status\":200,\"address\":\"127.0.0.1\"");
    }

    @Test
    void another_host_is_a_403_inside_tls_that_says_what_would_allow_it() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        var ran = run("curl", "-sS", "-i", "https://b.test/x");
        assertThat(ran.out()).contains(" 403", "application/problem+json", "\"rule\":\"default:deny\"", "host: b.test");
        assertThat(outside.asked).isEmpty();
    }

    @Test
    void another_path_is_a_403_and_reaches_nobody() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        assertThat(run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", secure("/no"))
                        .out())
                .isEqualTo("403");
        assertThat(run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "PUT", clear("/ok/x"))
                        .out())
                .isEqualTo("403");
        assertThat(outside.asked).isEmpty();
    }

    @Test
    void curl_posts_in_the_clear_and_by_way_of_a_proxy_it_is_told_about() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        var expected = "POST /ok/p for a.test:" + outside.clearPort() + " with 5\n";
        assertThat(run("curl", "-sS", "-d", "hello", clear("/ok/p")).out()).isEqualTo(expected);
        assertThat(run("curl", "-sS", "-d", "hello", "-x", "http://127.0.0.1:3128", clear("/ok/p"))
                        .out())
                .isEqualTo(expected);
        assertThat(run("curl", "-sS", "-x", "http://127.0.0.1:3128", secure("/ok/q"))
                        .out())
                .startsWith("GET /ok/q ");
    }

    @Test
    void a_company_proxy_is_asked_for_names_that_this_machine_does_not_know() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        try (var proxy = new CompanyProxy()) {
            Files.writeString(
                    policy,
                    Files.readString(policy).replaceAll(" +addresses: .*\n", "") + "  upstream_proxy: " + proxy.url()
                            + "\n");
            assertThat(run("curl", "-sS", secure("/ok/x")).out()).startsWith("GET /ok/x ");
            assertThat(run("curl", "-sS", clear("/ok/y")).out()).startsWith("GET /ok/y ");
            assertThat(run("curl", "-sS", secure("/no")).out()).contains("\"status\":403");
            assertThat(proxy.asked).containsExactly("a.test:" + outside.securePort(), "a.test:" + outside.clearPort());
            assertThat(log()).contains("\"address\":\"127.0.0.1 (" + proxy.url() + ")\"");
        }
    }

    @Test
    void what_no_rule_names_is_observed_and_becomes_a_policy_that_allows_it()
            throws GeneralSecurityException, IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        try (var proxy = new CompanyProxy()) {
            Files.writeString(policy, """
                    tool: watched
                    mode: observe
                    fs: {mounts: [{path: /workspace, mode: rw}]}
                    net:
                      mode: observe
                      upstream_proxy: PROXY
                      upstream_ca: ROOTS
                    """.replace("PROXY", proxy.url())
                    .replace("ROOTS", outside.roots(folder).toString()));
            var ran = run(
                    "curl",
                    "-sS",
                    "-d",
                    "x",
                    secure("/a/b*?q=1"),
                    "--next",
                    "-sS",
                    clear("/c"),
                    "--next",
                    "-sS",
                    "http://169.254.169.254/latest",
                    "--next",
                    "-sS",
                    "http://10.1.2.3/x");
            assertThat(ran.out().lines())
                    .as(ran.err())
                    .contains(
                            "POST /a/b*?q=1 for a.test:" + outside.securePort() + " with 1",
                            "GET /c for a.test:" + outside.clearPort() + " with 0");
            assertThat(ran.out()).contains("\"rule\":\"deny:", "10.1.2.3");
            assertThat(outside.asked).hasSize(2);
        }
        assertThat(log()).contains("\"detail\":{\"observed\":true,\"why\":\"no rule allows it;");
        var session = log().replaceAll("(?s).*\"session\":\"([a-z0-9]+)\".*", "$1");
        var proposed = folder.resolve("proposed.yaml");
        assertThat(product("policy", "init", "next", "--from-session", session, "-o", proposed.toString())
                        .exit())
                .isZero();
        assertThat(proposed)
                .content()
                .contains("# not here: http.request GET 10.1.2.3:80/x\n")
                .doesNotContain("host: 10.1.2.3")
                .contains(
                        "- {host: a.test, methods: [POST], paths: [\"/a/b%2A\"], ports: [" + outside.securePort()
                                + "]}",
                        "- {host: a.test, methods: [GET], paths: [/c], ports: [" + outside.clearPort() + "]}");
        var next = product(
                "check-net",
                "--policy",
                proposed.toString(),
                "--host",
                "a.test",
                "--port",
                "" + outside.clearPort(),
                "--path",
                "/c");
        assertThat(next.exit()).as(next.out() + next.err()).isZero();
    }

    @Test
    void a_run_that_learns_shows_the_change_that_the_next_run_needs_and_makes_none()
            throws GeneralSecurityException, IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        try (var proxy = new CompanyProxy()) {
            var text = """
                    tool: taught
                    fs: {mounts: [{path: /workspace, mode: rw}]}
                    net:
                      upstream_proxy: PROXY
                      upstream_ca: ROOTS
                      hosts: # of this project
                        - {host: b.test}
                    """.replace("PROXY", proxy.url())
                    .replace("ROOTS", outside.roots(folder).toString());
            Files.writeString(policy, text);
            var asked = secure("/a");
            assertThat(run("curl", "-sS", asked).out()).contains("\"status\":403");
            var learned = product(
                    "run",
                    "--learn",
                    "-q",
                    "--policy",
                    policy.toString(),
                    "--",
                    "curl",
                    "-sS",
                    asked,
                    "--next",
                    "-sS",
                    "http://169.254.169.254/latest");
            assertThat(learned.out())
                    .as(learned.err())
                    .startsWith("GET /a for a.test:")
                    .contains("\"status\":403");
            var line = "    - {host: a.test, methods: [GET], paths: [/a], ports: [" + outside.securePort() + "]}";
            assertThat(learned.err())
                    .contains(
                            "learning: hosts that no rule",
                            "\n+" + line + "\n",
                            "no line allows: http.request GET 169");
            assertThat(policy).content().isEqualTo(text);
            assertThat(product("policy", "suggest", "last", "--for", policy.toString())
                            .out())
                    .contains("\n+" + line + "\n");
            Files.writeString(policy, text + line + "\n");
            assertThat(run("curl", "-sS", asked).out()).startsWith("GET /a for a.test:");
            assertThat(run("curl", "-sS", secure("/b")).out()).contains("\"status\":403");
            assertThat(product("policy", "unused", "last", "--policy", policy.toString())
                            .out())
                    .contains("net.hosts[0]")
                    .contains("{host: b.test}")
                    .contains("net.hosts[1]");
        }
    }

    @Test
    void a_set_up_has_a_network_that_the_run_has_not() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        var hosts =
                Files.readString(policy).replaceAll("(?s).*(  hosts:.*)", "$1").indent(4);
        var twoPhases = "tool: phased\nfs: {mounts: [{path: /workspace, mode: rw, source: session-copy}]}\n"
                + "net: {mode: none}\ncapture: {har: true}\nphases:\n  setup:\n    command: [curl, -sSf, -o, got, URL]\n    net:\n"
                + hosts;
        Files.writeString(policy, twoPhases.replace("URL", "\"" + secure("/ok/x") + "\""));
        var ran = run("cat", "got");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("GET /ok/x ");
        assertThat(workspace.resolve("got")).doesNotExist();
        assertThat(product("har", "last", "--setup").out()).contains("/ok/x", ", set-up, inbound");
        assertThat(product("har", "last").err()).contains("has no capture: ");
        assertThat(run("curl", "-sS", secure("/ok/y")).exit()).isEqualTo(6);
        assertThat(outside.asked).hasSize(2).allMatch(asked -> asked.startsWith("GET /ok/x "));

        Files.writeString(policy, twoPhases.replace("URL", "\"" + secure("/no") + "\""));
        var failed = run("touch", "begun");
        assertThat(failed.exit()).isEqualTo(123);
        assertThat(failed.err()).contains("not begun: the set-up ended with 22");
        assertThat(log()).contains("\"detail\":{\"phase\":\"setup\",").doesNotContain("[\"touch\",\"begun\"]");
        var sessions = log().lines()
                .map(line -> line.replaceAll(".*\"session\":\"([^\"]*)\".*", "$1"))
                .distinct();
        for (String session : sessions.filter(id -> !id.isEmpty()).toList()) {
            var verified = product("receipt", "verify", session);
            assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
        }
    }

    private void budget(String budget) throws IOException {
        Files.writeString(
                policy,
                Files.readString(policy)
                        .replaceAll("      budget: .*\n", "")
                        .replace("      addresses:", "      budget: {" + budget + "}\n      addresses:"));
    }

    /// Asks several times in one cage and says what came of it, status by status.
    private String statuses(int times) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("curl", "-sS", "-w", "%{http_code} "));
        for (int i = 0; i < times; i++) {
            words.addAll(List.of("-o", "last", secure("/ok/x")));
        }
        return run(words.toArray(String[]::new)).out().strip();
    }

    @Test
    void B037_a_budget_of_requests_holds_in_each_run_and_the_third_is_told_why()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        budget("requests: 2/run");
        assertThat(statuses(3)).isEqualTo("200 200 403");
        assertThat(Files.readString(workspace.resolve("last")))
                .contains(
                        "urn:cagewright:problem:budget",
                        "net.hosts[0].budget.requests is 2/run, and that is used up; there is no more in this run");
        assertThat(outside.asked).hasSize(2);
        var id = Files.readString(workspace.resolve("last")).replaceAll("(?s).*\"decision\":\"([^\"]+)\".*", "$1");
        assertThat(product("why", id).out())
                .contains("deny", "net.hosts[0].budget.requests", "used up", "net.hosts[0].budget (" + policy + ":");
        assertThat(statuses(1)).as("another run").isEqualTo("200");
    }

    @Test
    void B037_a_budget_of_a_day_goes_on_in_the_next_run() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        budget("requests: 3/day");
        assertThat(statuses(2)).isEqualTo("200 200");
        assertThat(statuses(2)).isEqualTo("200 403");
        assertThat(outside.asked).hasSize(3);
        assertThat(product("net", "last", "--summary").out())
                .containsPattern("net\\.hosts\\[0\\]\\.budget\\.requests +3 of 3/day");
        assertThat(product("net", "last", "--summary", "--json").out())
                .contains(
                        "{\"budget\":\"net.hosts[0].budget.requests\",\"layer\":\"project\",\"phase\":\"run\",\"used\":3,\"bound\":3");
        assertThat(product("run", "--policy", policy.toString(), "--", "true").err())
                .contains("net.hosts[0].budget.requests: 3 of 3/day");
    }

    /// A run with an answer under way that does not end by itself.
    private Process dripping() throws IOException {
        var run = started(
                "run",
                "--quiet",
                "--policy",
                policy.toString(),
                "--",
                "curl",
                "-sS",
                "-N",
                "-o",
                "drip",
                secure("/ok/drip"));
        while (outside.asked.isEmpty() && run.isAlive()) {
            LockSupport.parkNanos(5_000_000);
        }
        return run;
    }

    @Test
    void B037_a_request_that_was_counted_before_the_supervisor_was_killed_stays_counted()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        budget("requests: 3/day");
        var run = dripping();
        run.toHandle().destroyForcibly();
        run.waitFor();
        assertThat(statuses(3)).isEqualTo("200 200 403");
        assertThat(outside.asked).hasSize(3);
    }

    @Test
    void B021_what_goes_on_ends_when_the_policy_allows_it_no_longer() throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        var run = dripping();
        Files.writeString(policy, Files.readString(policy).replace("/ok/**", "/other/**"));
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        assertThat(run.exitValue()).as("as no whole answer").isNotZero();
        assertThat(log())
                .contains(
                        "\"name\":\"policy.changed\"",
                        "\"state\":\"truncated\",\"why\":\"the policy was changed and allows it no longer: ");
    }

    @Test
    void an_answer_beyond_the_budget_is_no_whole_one_and_the_outcome_says_so()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        budget("received: 60B/day");
        assertThat(statuses(1)).isIn("403", "200");
        assertThat(log()).contains("\"state\":\"exhausted\",\"why\":\"net.hosts[0].budget.received is 60B/day");
        budget("received: 60KiB/day");
        assertThat(statuses(1)).isEqualTo("200");
    }

    @Test
    void a_credential_that_leaves_is_a_403_that_names_its_kind_and_its_twin_passes()
            throws IOException, InterruptedException {
        requireProgram("/usr/bin/curl");
        Files.writeString(policy, Files.readString(policy) + "inspect: {secrets: block}\n");
        var token = "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";
        // from a file: the log keeps what a program was started with
        var note = Files.writeString(workspace.resolve("note"), "note=" + token);
        var stopped = run("curl", "-sS", "-d", "@" + note, secure("/ok/x"));
        assertThat(stopped.out()).contains("\"status\":403", "secrets.github_token", "inspect.secrets");
        assertThat(outside.asked).isEmpty();
        Files.writeString(note, "note=" + token.replace("17", "18"));
        var passed = run("curl", "-sS", "-d", "@" + note, secure("/ok/x"));
        assertThat(passed.out()).startsWith("POST /ok/x ").endsWith(" with 45\n");
        var log = log();
        assertThat(log)
                .contains("\"name\":\"net.finding\"", "\"state\":\"stopped\"", "\"why\":\"secrets.github_token\"")
                .doesNotContain("zQWBuTSO");
    }

    @Test
    void B023_python_and_node_need_no_setting() throws IOException, InterruptedException {
        requireProgram("/usr/bin/python3");
        var python = run(
                "python3",
                Files.writeString(
                                workspace.resolve("ask.py"),
                                "import urllib.request,sys; print(urllib.request.urlopen(sys.argv[1]).read().decode(), end='')")
                        .toString(),
                secure("/ok/py"));
        assertThat(python.out()).as(python.err()).startsWith("GET /ok/py ");
        requireProgram("/usr/bin/node");
        var node = run(
                "node",
                Files.writeString(
                                workspace.resolve("ask.mjs"),
                                "console.log(await (await fetch(process.argv[2])).text());\n")
                        .toString(),
                secure("/ok/node"));
        assertThat(node.out()).as(node.err()).startsWith("GET /ok/node ");
    }

    @Test
    void B046_a_server_in_the_cage_is_reached_without_the_gateway() throws IOException, InterruptedException {
        requireProgram("/usr/bin/python3");
        var script = Files.writeString(workspace.resolve("own.py"), """
                import http.server, threading, urllib.request
                s = http.server.HTTPServer(("127.0.0.1", 5000), http.server.SimpleHTTPRequestHandler)
                threading.Thread(target=s.serve_forever, daemon=True).start()
                print(urllib.request.urlopen("http://127.0.0.1:5000/").status)
                """);
        assertThat(run("python3", script.toString()).out()).isEqualTo("200\n");
        assertThat(log()).doesNotContain("http.request");
    }

    @Test
    void names_have_answers_and_an_address_that_nobody_was_given_is_refused() throws IOException, InterruptedException {
        requireProgram("/usr/bin/getent");
        assertThat(run("getent", "hosts", "a.test").out()).matches("11\\.84\\.0\\.\\d+ +a\\.test\n");
        assertThat(run("getent", "hosts", "b.test").out()).matches("198\\.51\\.100\\.1 +b\\.test\n");
        requireProgram("/usr/bin/curl");
        assertThat(run("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.1.77/")
                        .exit())
                .as("loopback is the cage's own")
                .isEqualTo(7);
        assertThat(run("curl", "-sS", "http://10.1.2.3/").out()).contains("\"status\":403");
    }
}
