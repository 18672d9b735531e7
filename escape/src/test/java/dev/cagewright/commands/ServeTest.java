package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `mcp serve` and `mcp call` of the packaged product.
class ServeTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Desk desk;

    ServeTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    @Test
    void B208_B229_each_tool_does_what_the_policy_allows_and_says_why_not() throws IOException, InterruptedException {
        try (var client = ToolClient.open(desk, desk.policy())) {
            assertThat(client.ask("tools/list", "{}").write())
                    .contains("\"run_command\"", "\"read_file\"", "\"write_file\"", "\"http_fetch\"");
            assertThat(client.call("write_file", """
                            {"path": "-rf", "content": "a name"}""").write()).contains("\"created\":true");
            assertThat(client.call("read_file", """
                            {"path": "-rf"}""").write()).contains("\"content\":\"a name\"");
            assertThat(client.call("run_command", """
                            {"argv": ["cat", "--", "-rf"]}""").write()).contains("\"stdout\":\"a name\"", "\"exit\":0");

            var denied = List.of(
                    client.call("write_file", """
                            {"path": ".vscode/tasks.json", "content": "{}"}"""),
                    client.call("read_file", """
                            {"path": "/etc/shadow"}"""),
                    client.call("run_command", """
                            {"argv": ["sh", "-c", "id"]}"""),
                    client.call("http_fetch", """
                            {"url": "https://pkg.test/"}"""));
            assertThat(denied)
                    .allSatisfy(answer -> assertThat(answer.write())
                            .contains("\"isError\":true", "\"dev.cagewright/decision\":{\"id\":"));
            assertThat(client.end()).isZero();
            assertThat(client.rest()).isEmpty();
            assertThat(client.said()).contains("denied", "cagewright why", "receipt");
        }
        assertThat(desk.workspace().resolve("-rf")).hasContent("a name");
        assertThat(desk.workspace().resolve(".vscode")).doesNotExist();
        assertThat(desk.product("audit", "verify").exit()).isZero();
    }

    @Test
    void the_value_of_a_secret_goes_into_the_cage_by_no_argument_and_its_placeholder_does()
            throws IOException, InterruptedException {
        var value = "real-" + "value-0123456789abcdef";
        var file = Files.writeString(desk.workspace().resolveSibling("value"), value)
                .toString();
        assertThat(desk.product("secret", "set", "API_KEY", "--from-file", file).exit())
                .isZero();
        assertThat(desk.product("secret", "bind", "API_KEY", "--use-with", "api.test")
                        .exit())
                .isZero();
        var denied = write(value);
        assertThat(denied.exit()).isEqualTo(5);
        assertThat(denied.err())
                .contains("denied: mcp.call cagewright write_file", "API_KEY")
                .doesNotContain(value);
        assertThat(desk.workspace().resolve("note")).doesNotExist();

        assertThat(write("real-value").exit()).isZero();
        assertThat(desk.workspace().resolve("note")).hasContent("real-value");
        assertThat(Files.readString(desk.log())).contains("\"mcp:secret\"").doesNotContain(value);
    }

    private Desk.Result write(String content) throws IOException, InterruptedException {
        return desk.product(
                "mcp",
                "call",
                "write_file",
                "--policy",
                desk.policy(),
                "-s",
                "API_KEY",
                "--args",
                "{\"path\": \"note\", \"content\": \"" + content + "\"}");
    }

    @Test
    void B208_lines_may_end_and_come_as_they_like() throws IOException, InterruptedException {
        try (var client = ToolClient.open(desk, desk.policy())) {
            client.send("\r\n\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r\n"
                    + "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"pi");
            client.send("ng\"}\n");
            client.await(message -> message.text("id").filter("a"::equals).isPresent());
            client.await(message -> message.text("id").filter("b"::equals).isPresent());
        }
    }

    private String waiting() {
        return "{\"name\": \"run_command\", \"arguments\": {\"argv\": [\"" + desk.act() + "\", \"wait\", \"600\"]}}";
    }

    private void awaitNone(String part) {
        long end = System.nanoTime() + PATIENCE;
        while (System.nanoTime() < end) {
            if (ProcessHandle.allProcesses().map(ServeTest::commandLine).noneMatch(line -> line.contains(part))) {
                return;
            }
            Thread.onSpinWait();
        }
        assertThat(ProcessHandle.allProcesses().map(ServeTest::commandLine).filter(line -> line.contains(part)))
                .isEmpty();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .replace('\0', ' ');
        } catch (IOException _) {
            return "";
        }
    }

    @Test
    void B214_a_call_that_is_taken_back_is_killed_and_that_is_on_record() throws IOException, InterruptedException {
        try (var client = ToolClient.open(desk, desk.policy())) {
            long id = client.begin("tools/call", waiting());
            client.await(message -> message.write().contains("\"data\":\"ready\""));
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id
                    + ",\"reason\":\"enough\"}}\n");
            awaitNone(desk.act() + " wait");
            assertThat(client.ask("ping", "{}").write()).contains("\"result\":{}");
            assertThat(client.end()).isZero();
            assertThat(client.rest()).noneMatch(line -> line.contains("\"id\":" + id + ","));
        }
        assertThat(Files.readString(desk.log())).contains("\"cause\":\"cancelled\"");
    }

    private static final String CLIENT = """
            import json, subprocess, sys
            server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            def say(message):
                server.stdin.write(json.dumps(message).encode() + b"\\n")
                server.stdin.flush()
            say({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
                 "capabilities": {}, "clientInfo": {"name": "victim", "version": "1"}}})
            say({"jsonrpc": "2.0", "method": "notifications/initialized"})
            say({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": json.loads(sys.argv[1])})
            for line in server.stdout:
                if b'"ready"' in line:
                    print("ready", flush=True)
            """;

    @Test
    void B214_I12_a_client_that_is_killed_leaves_no_process() throws IOException, InterruptedException {
        var script = desk.write("client.py", CLIENT);
        var words = List.of(
                "python3", script, waiting(), Desk.PRODUCT.toString(), "mcp", "serve", "--policy", desk.policy());
        var client = desk.start(words, ProcessBuilder.Redirect.DISCARD);
        try {
            assertThat(client.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
        } finally {
            client.destroyForcibly();
        }
        awaitNone(desk.act() + " wait");
        awaitNone("mcp serve --policy " + desk.policy());
        assertThat(Files.readString(desk.log())).contains("\"cause\":\"cancelled\"", "\"name\":\"cage.down\"");
    }

    @Test
    void a_server_that_is_told_to_end_takes_its_cage_with_it() throws IOException, InterruptedException {
        try (var client = ToolClient.open(desk, desk.policy())) {
            client.begin("tools/call", waiting());
            client.await(message -> message.write().contains("\"data\":\"ready\""));
            client.process().destroy();
            assertThat(client.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            awaitNone(desk.act() + " wait");
            assertThat(client.said()).contains("receipt");
        }
    }

    @Test
    void B233_names_and_words_of_any_script_go_through_in_the_plainest_locale()
            throws IOException, InterruptedException {
        var plain = desk.with("LC_ALL", "C");
        try (var client = ToolClient.open(plain, desk.policy())) {
            client.call("write_file", """
                    {"path": "文件 🗂.txt", "content": "内容 🦊 é"}""");
            assertThat(client.call("run_command", """
                            {"argv": ["cat", "文件 🗂.txt"]}""").write()).contains("\"stdout\":\"内容 🦊 é\"");
            assertThat(client.call("read_file", """
                            {"path": "文件 🗂.txt"}""").write()).contains("\"content\":\"内容 🦊 é\"");
        }
        assertThat(plain.host(List.of("cat", "文件 🗂.txt")).out()).isEqualTo("内容 🦊 é");
    }

    @Test
    void one_call_from_a_shell_ends_with_the_exit_code_that_is_documented() throws IOException, InterruptedException {
        var call = List.of("mcp", "call", "--policy", desk.policy());
        assertThat(call(call, "run_command", "{\"argv\": [\"" + desk.act() + "\", \"exit\", \"7\"]}")
                        .exit())
                .isEqualTo(7);
        assertThat(call(call, "run_command", "{\"argv\": [\"" + desk.act() + "\", \"say\", \"hello\"]}")
                        .out())
                .contains("hello");
        var shell = call(call, "run_command", "{\"argv\": [\"sh\", \"-c\", \"id\"]}");
        assertThat(shell.exit()).isEqualTo(5);
        assertThat(shell.err()).contains("deny:shell");
        assertThat(call(call, "read_file", "{\"path\": \"/etc/shadow\"}").exit())
                .isEqualTo(4);
        assertThat(call(call, "read_file", "{\"path\": \"absent\"}").exit()).isEqualTo(1);
        assertThat(call(call, "read_file", "{\"pth\": \"absent\"}").exit()).isEqualTo(2);
        assertThat(call(call, "nope", "{}").exit()).isEqualTo(2);
    }

    /// A policy whose set-up is these words of the acting program.
    private String withSetUp(String words) throws IOException {
        var text = Files.readString(Path.of(desk.policy())) + "phases: {setup: {command: [\"" + desk.act() + "\", "
                + words + "]}}\n";
        return desk.write("set-up.yaml", text);
    }

    @Test
    void a_set_up_that_goes_well_comes_before_the_first_call() throws IOException, InterruptedException {
        try (var client = ToolClient.open(desk, withSetUp("say, made"))) {
            assertThat(client.call("run_command", "{\"argv\": [\"" + desk.act() + "\", \"say\", \"hello\"]}")
                            .write())
                    .contains("\"stdout\":\"hello\"");
            assertThat(client.end()).isZero();
            assertThat(client.rest()).isEmpty();
            assertThat(client.said()).contains("set-up: ", "made", "exit 0");
        }
        assertThat(Files.readString(desk.log()))
                .containsSubsequence("\"state\":\"begins\"", "\"state\":\"done\"", "\"name\":\"cage.up\"");
        assertThat(desk.product("audit", "verify").exit()).isZero();
        assertThat(desk.product("receipt", "verify", "last").exit()).isZero();
    }

    @Test
    void a_set_up_that_fails_leaves_nobody_served() throws IOException, InterruptedException {
        var failed = call(
                List.of("mcp", "call", "--policy", withSetUp("exit, \"7\"")),
                "run_command",
                "{\"argv\": [\"" + desk.act() + "\", \"say\", \"hello\"]}");
        assertThat(failed.exit()).isEqualTo(123);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("not begun: the set-up ended with 7");

        var served = desk.product("mcp", "serve", "--policy", withSetUp("exit, \"7\""));
        assertThat(served.exit()).isEqualTo(123);
        assertThat(served.out()).isEmpty();
        assertThat(Files.readString(desk.log())).doesNotContain("\"name\":\"cage.up\"");
        assertThat(desk.product("receipt", "verify", "last").exit()).isZero();
    }

    @Test
    void a_set_up_that_the_policy_denies_leaves_nobody_served() throws IOException, InterruptedException {
        var text = Files.readString(Path.of(desk.policy())) + "phases: {setup: {command: [sh, \"-c\", id]}}\n";
        var denied = call(
                List.of("mcp", "call", "--policy", desk.write("denied.yaml", text)),
                "read_file",
                "{\"path\": \"act\"}");
        assertThat(denied.exit()).isEqualTo(5);
        assertThat(denied.out()).isEmpty();
        assertThat(denied.err()).contains("deny:shell", "not begun: the set-up was denied");
    }

    private Desk.Result call(List<String> start, String tool, String arguments)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(start);
        words.addAll(List.of(tool, "--args", arguments));
        return desk.product(words);
    }
}
