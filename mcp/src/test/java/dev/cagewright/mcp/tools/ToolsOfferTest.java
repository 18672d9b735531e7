package dev.cagewright.mcp.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.UnavailableLogException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsOfferTest {
    private static final String POLICY = """
            tool: tools
            fs: {mounts: [{path: /workspace, mode: rw}, {path: /scratch, mode: rw, source: tmpfs}]}
            net: {mode: none}
            exec: {allowlist: [cat, ls, touch, seq, head, sh, "true", printf, python3]}
            """;

    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");

    @BeforeEach
    void makeWorkspace() throws IOException {
        workspace = Files.createDirectory(folder.toRealPath().resolve("workspace"));
    }

    private ToolBench bench(String policy)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        return ToolBench.open(folder, workspace, policy);
    }

    private ToolBench bench() throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        return bench(POLICY);
    }

    private static String text(JsonObject result) {
        return result.member("content").orElseThrow().write();
    }

    private static JsonObject structured(JsonObject result) {
        assertThat(result.member("structuredContent")).as(result.write()).isPresent();
        return (JsonObject) result.member("structuredContent").get();
    }

    private static JsonObject decision(JsonObject result) {
        var meta = (JsonObject) result.member("_meta").orElseThrow();
        return (JsonObject) meta.member("dev.cagewright/decision").orElseThrow();
    }

    private static boolean isError(JsonObject result) {
        return result.write().contains("\"isError\":true");
    }

    private static long exit(JsonObject result) {
        return ((JsonNumber) decision(result).member("exit").orElseThrow()).asLong();
    }

    @Test
    void a_program_runs_and_says_how_it_ended() throws Exception, InterruptedException {
        try (var bench = bench()) {
            var result = bench.call("run_command", """
                    {"argv": ["cat", "-", "missing"], "stdin": "héllo\\n"}""");

            assertThat(isError(result)).isFalse();
            var told = structured(result);
            assertThat(told.text("stdout")).contains("héllo\n");
            assertThat(told.text("stderr").orElse("")).contains("missing: No such file or directory");
            assertThat(told.text("cause")).contains("exited");
            assertThat(told.member("exit")).contains(JsonNumber.of(1));
            assertThat(exit(result)).isEqualTo(1);
            var id = decision(result).text("id").orElseThrow();
            assertThat(text(result)).contains("[exit 1; decision " + id + "]");
            assertThat(bench.events())
                    .filteredOn(event -> event.origin().id().equals(id))
                    .extracting(Event::kind)
                    .containsExactly(Event.Kind.INTENT, Event.Kind.OUTCOME);
        }
    }

    @Test
    void what_a_policy_does_not_allow_is_an_error_that_says_why_and_what_to_do()
            throws Exception, InterruptedException {
        try (var bench = bench()) {
            var shell = bench.call("run_command", """
                    {"argv": ["sh", "-c", "echo pwned"]}""");
            var other = bench.call("run_command", """
                    {"argv": ["curl", "x"]}""");
            var outside = bench.call("read_file", """
                    {"path": "/etc/passwd"}""");
            var request = bench.call("http_fetch", """
                    {"url": "https://pkg.test/"}""");

            assertThat(shell.write()).contains("\"isError\":true", "deny:shell", "takes a command string");
            assertThat(exit(shell)).isEqualTo(5);
            assertThat(other.write()).contains("exec.allowlist");
            assertThat(outside.write()).contains("lies in no mount of fs.mounts");
            assertThat(exit(outside)).isEqualTo(4);
            assertThat(request.write()).contains("http.request GET pkg.test:443/");
            for (var denied : List.of(shell, other, outside, request)) {
                var id = decision(denied).text("id").orElseThrow();
                assertThat(text(denied)).contains("cagewright why " + id);
                assertThat(denied.member("structuredContent")).isEmpty();
                assertThat(bench.events())
                        .filteredOn(event -> event.origin().id().equals(id))
                        .extracting(event -> event.ruling().decision())
                        .containsExactly("deny");
            }
        }
    }

    @Test
    void calls_share_one_cage_so_that_each_sees_what_others_left() throws Exception, InterruptedException {
        try (var bench = bench()) {
            bench.call("write_file", """
                    {"path": "/scratch/note", "content": "in memory"}""");
            bench.call("write_file", """
                    {"path": "a/b.txt", "content": "on disk", "parents": true}""");

            assertThat(structured(bench.call("run_command", """
                            {"argv": ["cat", "/scratch/note", "b.txt"], "cwd": "a"}""")).text("stdout"))
                    .contains("in memoryon disk");
            assertThat(structured(bench.call("read_file", """
                            {"path": "%s/a/b.txt", "offset": 3}""".formatted(workspace)))
                            .text("content"))
                    .contains("disk");
        }
        assertThat(workspace.resolve("a/b.txt")).hasContent("on disk");
    }

    @Test
    void with_a_session_copy_the_host_keeps_its_files_and_calls_see_the_copy() throws Exception, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "old");
        try (var bench = bench(POLICY.replace("mode: rw},", "mode: rw, source: session-copy},"))) {
            bench.call("write_file", """
                    {"path": "kept", "content": "new"}""");

            assertThat(structured(bench.call("run_command", """
                            {"argv": ["cat", "kept"]}""")).text("stdout"))
                    .contains("new");
            assertThat(structured(bench.call("read_file", """
                            {"path": "kept"}""")).text("content")).contains("new");
        }
        assertThat(workspace.resolve("kept")).hasContent("old");
    }

    @Test
    void I10_protected_and_hidden_files_are_refused_as_in_the_cage() throws Exception, InterruptedException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        Files.writeString(workspace.resolve(".netrc"), "KEY=secret\n");
        try (var bench = bench()) {
            var hook = bench.call("write_file", """
                    {"path": ".git/hooks/pre-commit", "content": "#!/bin/sh\\n"}""");
            var agent = bench.call("write_file", """
                    {"path": ".vscode/tasks.json", "content": "{}", "parents": true}""");
            var hidden = bench.call("read_file", """
                    {"path": ".netrc"}""");
            var caged = bench.call("run_command", """
                    {"argv": ["touch", ".git/hooks/pre-commit"]}""");

            assertThat(isError(hook)).isTrue();
            assertThat(text(hook)).contains("nobody in the cage may write there");
            assertThat(isError(agent)).isTrue();
            assertThat(hidden.write()).doesNotContain("secret");
            assertThat(structured(caged).member("exit")).contains(JsonNumber.of(1));
        }
        assertThat(workspace.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(workspace.resolve(".netrc")).hasContent("KEY=secret");
    }

    @Test
    void B229_values_that_look_like_options_are_values() throws Exception, InterruptedException {
        try (var bench = bench()) {
            for (var name : List.of("-rf", "--", "-", "--output=x")) {
                var quoted = Json.object()
                        .put("path", name)
                        .put("content", name)
                        .build()
                        .write();
                assertThat(isError(bench.call("write_file", quoted))).isFalse();
                assertThat(structured(bench.call(
                                        "read_file",
                                        Json.object().put("path", name).build().write()))
                                .text("content"))
                        .contains(name);
                assertThat(workspace.resolve(name)).hasContent(name);
            }
            var program = bench.call("run_command", """
                    {"argv": ["--upload-pack=id", "x"]}""");
            assertThat(text(program)).contains("one that starts with '-' reads as an option");
        }
    }

    @Test
    void B233_other_scripts_come_and_go_byte_for_byte() throws Exception, InterruptedException {
        try (var bench = bench()) {
            bench.call("write_file", """
                    {"path": "文件 🗂/名.txt", "content": "内容 🦊", "parents": true}""");
            var bytes = Base64.getEncoder().encodeToString(new byte[] {0, (byte) 0xff, 10});
            bench.call("write_file", """
                    {"path": "raw", "encoding": "base64", "content": "%s"}""".formatted(bytes));

            assertThat(structured(bench.call("run_command", """
                            {"argv": ["cat", "文件 🗂/名.txt"]}""")).text("stdout"))
                    .contains("内容 🦊");
            var raw = structured(bench.call("read_file", """
                    {"path": "raw"}"""));
            assertThat(raw.text("encoding")).contains("base64");
            assertThat(raw.text("content")).contains(bytes);
            assertThat(structured(bench.call("run_command", """
                            {"argv": ["cat", "raw"]}""")).text("stdout_encoding"))
                    .contains("base64");
        }
        assertThat(Files.readString(workspace.resolve("文件 🗂/名.txt"))).isEqualTo("内容 🦊");
    }

    @Test
    void a_part_of_a_text_never_ends_in_the_middle_of_a_character() throws Exception, InterruptedException {
        Files.writeString(workspace.resolve("t"), "aé🦊z");
        try (var bench = bench()) {
            var first = structured(bench.call("read_file", """
                    {"path": "t", "limit": 5}"""));
            assertThat(first.text("content")).contains("aé");
            assertThat(first.member("bytes")).contains(JsonNumber.of(3));
            var rest = structured(bench.call("read_file", """
                    {"path": "t", "offset": 3}"""));
            assertThat(rest.text("content")).contains("🦊z");
            assertThat(rest.write()).contains("\"more\":false");
        }
    }

    @Test
    void arguments_that_a_tool_does_not_know_or_cannot_use_do_nothing() throws Exception, InterruptedException {
        try (var bench = bench()) {
            assertThat(text(bench.call("run_command", """
                            {"argv": ["true"], "shell": true}""")))
                    .contains("there is no argument \\\"shell\\\" (expected: argv, cwd, max_output, stdin");
            assertThat(text(bench.call("run_command", "{}"))).contains("argv: (expected: an array of texts)");
            assertThat(text(bench.call("run_command", """
                            {"argv": []}"""))).contains("argv: no program");
            assertThat(text(bench.call("run_command", """
                            {"argv": ["true", 1]}"""))).contains("argv: is no text");
            assertThat(text(bench.call("run_command", """
                            {"argv": ["true"], "cwd": "../.."}"""))).contains("is not below the workspace");
            assertThat(text(bench.call("run_command", """
                            {"argv": ["true"], "timeout": 1.5}"""))).contains("timeout: (expected: a whole number");
            assertThat(text(bench.call("read_file", """
                            {"path": "../../etc/passwd"}"""))).contains("leads out of the workspace");
            assertThat(text(bench.call("write_file", """
                            {"path": "x", "content": "!", "encoding": "base64"}"""))).contains("is no base64");
            for (var url : List.of("file:///etc/passwd", "https://u:p@pkg.test/", "https://pkg.test/#x", "x")) {
                assertThat(text(bench.call(
                                "http_fetch",
                                Json.object().put("url", url).build().write())))
                        .contains("url: (expected: https://HOST/PATH");
            }
            assertThat(bench.events()).isEmpty();
            assertThatThrownBy(() -> bench.call("nope", "{}"))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("there is no tool \"nope\"");
        }
    }

    @Test
    void output_is_bounded_and_what_is_cut_is_said() throws Exception, InterruptedException {
        try (var bench = bench()) {
            var told = structured(bench.call("run_command", """
                    {"argv": ["seq", "1", "200000"], "max_output": 4096}"""));

            var kept = told.text("stdout").orElseThrow();
            assertThat(kept).startsWith("1\n2\n").endsWith("199999\n200000\n").contains("bytes are cut out here");
            assertThat(kept.getBytes(StandardCharsets.UTF_8).length).isLessThan(4300);
            assertThat(told.member("stdout_bytes")).contains(JsonNumber.of(1288895));
            assertThat(told.member("stdout_cut")).contains(JsonNumber.of(1288895 - 4096));
        }
    }

    @Test
    void output_comes_line_by_line_while_the_program_runs() throws Exception, InterruptedException {
        try (var bench = bench()) {
            var caller = new TestCaller();
            bench.call("run_command", """
                    {"argv": ["seq", "3"]}""", caller);

            assertThat(caller.lines()).containsExactly("stdout: 1", "stdout: 2", "stdout: 3");
        }
    }

    /// A name that no other program of the machine has in its command line.
    private final String slow = "slow-" + UUID.randomUUID() + ".py";

    private String slow(int timeout) {
        return """
                {"argv": ["python3", "%s"], "timeout": %d}""".formatted(slow, timeout);
    }

    /// Says that it runs, and makes a file if it is let run on, as its child in a session of its own does.
    private void makeSlow() throws IOException {
        Files.writeString(workspace.resolve(slow), """
                import os, time
                if os.fork() == 0:
                    os.setsid()
                    os.close(1)
                    os.close(2)
                else:
                    print("up", flush=True)
                time.sleep(60)
                open("late", "w").close()
                """);
    }

    @Test
    void B214_a_call_that_is_taken_back_dies_with_its_children_and_that_is_on_record()
            throws Exception, InterruptedException {
        makeSlow();
        try (var bench = bench()) {
            var caller = new TestCaller();
            var up = caller.said("up");
            var running = CompletableFuture.supplyAsync(() -> {
                try {
                    return bench.call("run_command", slow(600), caller);
                } catch (RpcException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
            caller.cancel();
            var result = running.get(30, TimeUnit.SECONDS);

            assertThat(structured(result).text("cause")).contains("cancelled");
            assertThat(bench.events().getLast().detail().write()).contains("\"cause\":\"cancelled\"");
            assertThat(ProcessHandle.allProcesses()
                            .map(handle -> handle.info().commandLine().orElse(""))
                            .filter(line -> line.contains(slow)))
                    .isEmpty();
        }
        assertThat(workspace.resolve("late")).doesNotExist();
    }

    @Test
    @SuppressWarnings("Interruption") // what a door does to the thread that waits
    void B214_whoever_waits_may_be_interrupted_and_the_end_is_on_record_all_the_same()
            throws Exception, InterruptedException {
        makeSlow();
        try (var bench = bench()) {
            var caller = new TestCaller();
            var up = caller.said("up");
            var door = Thread.ofVirtual().start(() -> {
                try {
                    bench.call("run_command", slow(600), caller);
                } catch (RpcException | InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(up.await(30, TimeUnit.SECONDS)).isTrue();
            door.interrupt();
            caller.cancel();
            bench.offer().end();
            assertThat(bench.events().getLast().detail().write()).contains("\"cause\":\"cancelled\"");
        }
        assertThat(workspace.resolve("late")).doesNotExist();
    }

    @Test
    void a_call_that_was_taken_back_before_it_came_is_not_begun_for_long() throws Exception, InterruptedException {
        makeSlow();
        try (var bench = bench()) {
            var caller = new TestCaller();
            caller.cancel();
            assertThat(text(bench.call("run_command", slow(600), caller))).contains("the call was taken back");
            assertThat(bench.events()).isEmpty();
        }
    }

    @Test
    void a_program_whose_time_is_over_is_ended_with_its_children() throws Exception, InterruptedException {
        makeSlow();
        try (var bench = bench()) {
            var result = bench.call("run_command", slow(10));

            assertThat(isError(result)).isTrue();
            assertThat(structured(result).text("cause")).contains("timeout");
            assertThat(exit(result)).isEqualTo(124);
            assertThat(structured(result).text("stdout")).contains("up\n");
        }
    }

    @Test
    void a_program_that_is_not_there_is_told_with_its_exit_code() throws Exception, InterruptedException {
        try (var bench = bench(POLICY.replaceFirst("(?m)^exec:.*\n", ""))) {
            var result = bench.call("run_command", """
                    {"argv": ["no-such-program-here"]}""");
            assertThat(isError(result)).isTrue();
            assertThat(structured(result).text("cause")).contains("no_program");
            assertThat(exit(result)).isEqualTo(127);
        }
    }

    private static final String ASKS = POLICY + """
            approval: {timeout: 30s, require_for: [{fs.write: {paths: ["/workspace/deploy/**"]}}]}
            """;

    @Test
    void I11_what_needs_approval_is_asked_of_the_clients_person_and_covers_what_was_shown()
            throws Exception, InterruptedException {
        Files.createDirectory(workspace.resolve("deploy"));
        try (var bench = bench(ASKS)) {
            var yes = new TestCaller(_ -> ToolBench.object("""
                    {"action": "accept", "content": {"approve": true}}"""));
            var done = bench.call("write_file", """
                    {"path": "deploy/x", "content": "line one"}""", yes);

            assertThat(isError(done)).as(done.write()).isFalse();
            assertThat(yes.asked()).hasSize(1);
            assertThat(yes.asked().getFirst())
                    .contains(
                            "fs.write /workspace/deploy/x",
                            "line one",
                            "sha256 ",
                            decision(done).text("id").orElseThrow());
            for (var answer : List.of("""
                    {"action": "accept", "content": {"approve": false}}""", """
                    {"action": "accept", "content": {}}""", """
                    {"action": "decline"}""", """
                    {"action": "cancel"}""")) {
                var no = new TestCaller(_ -> ToolBench.object(answer));
                var denied = bench.call("write_file", """
                        {"path": "deploy/x", "content": "other"}""", no);
                assertThat(isError(denied)).as(answer).isTrue();
                assertThat(exit(denied)).isEqualTo(3);
            }
            var mute = bench.call("write_file", """
                    {"path": "deploy/x", "content": "other"}""");
            assertThat(exit(mute)).isEqualTo(3);
        }
        assertThat(workspace.resolve("deploy/x")).hasContent("line one");
    }

    @Test
    void many_calls_at_once_each_get_their_own_answer() throws Exception, InterruptedException {
        try (var bench = bench()) {
            var all = new ArrayList<CompletableFuture<JsonObject>>();
            for (int i = 0; i < 32; i++) {
                var word = "n" + i;
                all.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return bench.call("run_command", """
                                        {"argv": ["printf", "%%s", "%s"]}""".formatted(word));
                            } catch (RpcException | InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        task -> Thread.ofVirtual().start(task)));
            }
            for (int i = 0; i < 32; i++) {
                assertThat(structured(all.get(i).get(60, TimeUnit.SECONDS)).text("stdout"))
                        .contains("n" + i);
            }
        }
    }

    @Test
    void the_list_has_four_tools_with_schemas_that_say_what_they_take() throws Exception, InterruptedException {
        try (var bench = bench()) {
            var list = bench.offer().answer("tools/list", JsonObject.EMPTY, new TestCaller());
            assertThat(list.write())
                    .contains(
                            "\"name\":\"run_command\"",
                            "\"name\":\"read_file\"",
                            "\"name\":\"write_file\"",
                            "\"name\":\"http_fetch\"");
            assertThat(bench.offer().instructions().orElse("")).contains("There is no network.", "cat, ls");
            assertThatThrownBy(() -> bench.offer().answer("resources/list", JsonObject.EMPTY, new TestCaller()))
                    .isInstanceOf(RpcException.class);
        }
    }
}
