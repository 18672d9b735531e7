package dev.cagewright.guests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers from npm, and one that does what it should not, wrapped by the packaged product and used over stdio.
@Timeout(600)
class RealServersTest {
    private static final List<String> PACKAGES = List.of(
            "@modelcontextprotocol/server-everything@2026.8.31",
            "@modelcontextprotocol/server-filesystem@2026.8.31",
            "@modelcontextprotocol/server-memory@2026.8.31",
            "@modelcontextprotocol/server-sequential-thinking");

    /// Reads what it is told to, connects where it is told to.
    private static final String SNOOP = """
            const readline = require('readline').createInterface({input: process.stdin});
            const fs = require('fs'), net = require('net'), os = require('os');
            const say = (id, result) => console.log(JSON.stringify({jsonrpc: '2.0', id, result}));
            const text = (id, t) => say(id, {content: [{type: 'text', text: String(t)}]});
            readline.on('line', line => {
                const {id, method, params} = JSON.parse(line);
                if (method === 'initialize') say(id, {protocolVersion: '2025-06-18', capabilities: {tools: {}},
                    serverInfo: {name: 'snoop', version: '1'}});
                else if (method === 'tools/list') say(id, {tools: [{name: 'read', inputSchema: {type: 'object'}},
                    {name: 'reach', inputSchema: {type: 'object'}}]});
                else if (method === 'tools/call' && params.name === 'read') {
                    try { text(id, fs.readFileSync(params.arguments.path)); } catch (e) { text(id, e.code); }
                } else if (method === 'tools/call') {
                    const done = w => { text(id, w); socket.destroy(); };
                    const socket = net.connect(80, params.arguments.host, () =>
                        socket.write('GET / HTTP/1.1\\r\\nHost: ' + params.arguments.host + '\\r\\n\\r\\n'));
                    socket.once('data', d => done(String(d).split('\\r\\n')[0]));
                    socket.once('error', e => done(e.code));
                } else if (id !== undefined) console.log(JSON.stringify({jsonrpc: '2.0', id,
                    error: {code: -32601, message: 'Method not found'}}));
            });
            """;

    @TempDir
    static Path folder;

    @TempDir
    Path root;

    /// A folder that nobodies can read, too: cages that root started run as one.
    private static Path packages() {
        return folder.resolve("packages");
    }

    @BeforeAll
    static void install() throws IOException, InterruptedException {
        var packages = Files.createDirectory(packages());
        Files.writeString(packages.resolve("package.json"), "{\"private\":true}");
        var words = new ArrayList<>(
                List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"));
        words.addAll(PACKAGES);
        var out = packages.resolve("out.txt");
        int code = new ProcessBuilder(words)
                .directory(packages.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("npm ended with " + code + ": " + Files.readString(out));
        }
    }

    private static String server(String name) {
        return packages()
                .resolve("node_modules/@modelcontextprotocol/server-" + name + "/dist/index.js")
                .toString();
    }

    private Path workspace() throws IOException {
        Files.createDirectories(root.resolve("home"));
        return Files.createDirectories(root.resolve("workspace"));
    }

    /// A policy under that name.
    private String policy(String name, String net, String tools) throws IOException {
        workspace();
        var folder = Files.createDirectories(root.resolve("config/cagewright/policies"));
        Files.writeString(folder.resolve(name + ".yaml"), """
                tool: %s
                fs:
                  mounts:
                    - {path: /workspace, mode: rw}
                    - {path: "%s", mode: ro}
                net: %s
                mcp: {tools: %s}
                """.formatted(name, packages(), net, tools));
        return name;
    }

    @Test
    void a_wrapped_server_does_what_its_policy_names_and_nothing_else()
            throws IOException, InterruptedException, JsonSyntaxException {
        var policy = policy("everything", "{mode: none}", "[echo, get-sum]");
        try (var server =
                WrappedServer.start(root, "wrap", "--policy", policy, "--", "node", server("everything"), "stdio")) {
            assertThat(server.ask("tools/list", "{}")).contains("'echo'").doesNotContain("'get-env'");
            assertThat(server.call("echo", "{'message':'hi'}"))
                    .contains("Echo: hi", "'dev.cagewright/decision':{'id':'")
                    .doesNotContain("isError");
            assertThat(server.call("get-env", "{}")).contains("'isError':true", "denied", "mcp.tools");
            assertThat(server.end()).isZero();
        }
        assertThat(Files.readString(root.resolve("state/cagewright/audit.jsonl")))
                .contains("\"tool\":\"echo\"", "\"tool\":\"get-env\"");
    }

    @Test
    void files_memory_and_thought_are_served_from_their_cages()
            throws IOException, InterruptedException, JsonSyntaxException {
        var note = Files.writeString(workspace().resolve("note.txt"), "hello\n");
        var policy = policy("files", "{mode: none}", "[{tool: read_text_file, paths: {path: read}}]");
        try (var server = WrappedServer.start(
                root,
                "wrap",
                "--policy",
                policy,
                "--",
                "node",
                server("filesystem"),
                workspace().toString())) {
            assertThat(server.call("read_text_file", "{'path':'" + note + "'}")).contains("hello");
            assertThat(server.call("read_text_file", "{'path':'/etc/shadow'}")).contains("'isError':true", "denied");
            assertThat(server.call("write_file", "{'path':'" + note + "','content':'x'}"))
                    .contains("denied");
            assertThat(note).hasContent("hello");
        }
        policy("memory", "{mode: none}", "[read_graph]");
        try (var server = WrappedServer.start(root, "wrap", "--policy", "memory", "--", "node", server("memory"))) {
            assertThat(server.call("read_graph", "{}")).doesNotContain("denied").contains("entities");
            assertThat(server.call("delete_entities", "{'entityNames':[]}")).contains("denied");
        }
        policy("thought", "{mode: none}", "['*']");
        try (var server =
                WrappedServer.start(root, "wrap", "--policy", "thought", "--", "node", server("sequential-thinking"))) {
            assertThat(server.call(
                            "sequentialthinking",
                            "{'thought':'t','nextThoughtNeeded':false,'thoughtNumber':1,'totalThoughts':1}"))
                    .contains("thoughtHistoryLength");
        }
    }

    @Test
    void a_gateway_has_both_servers_behind_one_door() throws IOException, InterruptedException, JsonSyntaxException {
        policy("mcp-every", "{mode: none}", "[echo]");
        policy("mcp-files", "{mode: none}", "[list_directory]");
        Files.writeString(workspace().resolve("seen"), "");
        Files.writeString(workspace().resolve(".mcp.json"), """
                {"mcpServers": {
                  "every": {"command": "node", "args": ["%s", "stdio"]},
                  "files": {"command": "node", "args": ["%s", "%s"]}}}
                """.formatted(
                        server("everything"), server("filesystem"), workspace()));
        try (var gateway = WrappedServer.start(root, "gateway")) {
            assertThat(gateway.call("every__echo", "{'message':'hi'}")).contains("Echo: hi");
            assertThat(gateway.call("files__list_directory", "{'path':'" + workspace() + "'}"))
                    .contains("seen");
            assertThat(gateway.ask("tools/list", "{}")).doesNotContain("write_file", "get-env");
            assertThat(gateway.call("files__write_file", "{}")).contains("-32602");
            assertThat(gateway.end()).isZero();
        }
    }

    @Test
    void B214_a_server_that_snoops_gets_nothing_is_on_record_and_dies_with_its_wrapper()
            throws IOException, InterruptedException, JsonSyntaxException {
        var policy = policy("snoop", "{hosts: [{host: allowed.test}]}", "['*']");
        var key = root.resolve("home/.ssh/id_ed25519");
        Files.createDirectories(root.resolve("home/.ssh"));
        Files.writeString(key, "PRIVATE-" + "KEY-VALUE");
        var program = Files.writeString(workspace().resolve("snoop-" + System.nanoTime() + ".js"), SNOOP);
        var server = WrappedServer.start(root, "wrap", "--policy", policy, "--", "node", program.toString());
        try (server) {
            assertThat(server.call("read", "{'path':'" + key + "'}"))
                    .contains("ENOENT")
                    .doesNotContain("PRIVATE");
            assertThat(server.call("reach", "{'host':'exfiltrate.test'}")).contains("403");
            assertThat(Files.readString(root.resolve("state/cagewright/audit.jsonl")))
                    .containsPattern("(?m)^.*exfiltrate\\.test.*\"deny\".*$|(?m)^.*\"deny\".*exfiltrate\\.test.*$");
            assertThat(running(program)).isTrue();
            server.kill();
        }
        while (running(program)) {
            Thread.onSpinWait(); // until the time of the test is over
        }
        assertThat(running(program)).isFalse();
    }

    /// Does any process have that file among its words?
    private static boolean running(Path program) {
        return ProcessHandle.allProcesses()
                .filter(ProcessHandle::isAlive)
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.endsWith("/node"))
                        .isPresent())
                .anyMatch(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).contains(program.toString()))
                        .isPresent());
    }
}
