package dev.cagewright.poisoned;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The poisoned server as a client has it: through `cagewright mcp wrap` on standard streams. The client answers no
/// questions and takes its time.
final class WrappedServer implements AutoCloseable {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();
    private static final long PATIENCE = 120;

    private final Path root;
    private final Process process;
    private final BlockingQueue<JsonObject> answers = new LinkedBlockingQueue<>();
    private final List<String> notices = new CopyOnWriteArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private String opened = "";
    private int last;

    private WrappedServer(Path root, Process process) {
        this.root = root;
        this.process = process;
        readers.add(Thread.ofVirtual().start(this::readAnswers));
        readers.add(Thread.ofVirtual().start(this::readNotices));
    }

    /// Started and opened.
    ///
    /// @param policy its text; the server works in `/workspace`
    static WrappedServer under(Path root, String policy, String... options) throws IOException, InterruptedException {
        var workspace = Files.createDirectories(root.resolve("workspace"));
        try (var script = WrappedServer.class.getResourceAsStream("server.py")) {
            if (script == null) {
                throw new IOException("server.py: not found (expected: beside the tests)");
            }
            Files.write(workspace.resolve("server.py"), script.readAllBytes());
        }
        var file = Files.writeString(root.resolve("policy.yaml"), policy);
        var words = new ArrayList<>(List.of(
                PRODUCT.toString(),
                "mcp",
                "wrap",
                "--policy",
                file.toString(),
                "--name",
                "poisoned",
                "--workspace",
                workspace.toString()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "python3", "server.py"));
        var server = new WrappedServer(root, started(root, words));
        var opened = server.ask("initialize", """
                {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}""");
        if (opened.member("result").isEmpty()) {
            throw new IOException("not opened: " + opened.write() + server.notices());
        }
        server.opened = opened.write();
        server.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return server;
    }

    private static Process started(Path root, List<String> words) throws IOException {
        var builder = new ProcessBuilder(words).directory(root.toFile());
        builder.environment()
                .putAll(Map.of(
                        "XDG_STATE_HOME", root.resolve("state").toString(),
                        "XDG_CONFIG_HOME", root.resolve("config").toString(),
                        "HOME", Files.createDirectories(root.resolve("home")).toString()));
        return builder.start();
    }

    private void readAnswers() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var value = (JsonObject) Json.parse(line);
                if (value.member("method").isEmpty()) {
                    answers.add(value);
                }
            }
        } catch (IOException | JsonSyntaxException e) {
            notices.add("the client cannot read what it gets: " + e);
        }
    }

    private void readNotices() {
        try (var lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(notices::add);
        } catch (IOException e) {
            notices.add("the notices end: " + e);
        }
    }

    private void write(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    int send(String method, String params) throws IOException {
        last++;
        write("{\"jsonrpc\":\"2.0\",\"id\":" + last + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
        return last;
    }

    void cancel(int id) throws IOException {
        write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}");
    }

    /// The whole answer.
    JsonObject ask(String method, String params) throws IOException, InterruptedException {
        int id = send(method, params);
        var answer = Optional.ofNullable(answers.poll(PATIENCE, TimeUnit.SECONDS));
        if (answer.isEmpty()) {
            throw new IOException("no answer to " + method + "; notices: " + notices);
        }
        if (!answer.get().member("id").equals(Optional.of(JsonNumber.of(id)))) {
            throw new IOException(
                    "another answer than that to " + id + ": " + answer.get().write());
        }
        return answer.get();
    }

    JsonObject call(String tool, String arguments) throws IOException, InterruptedException {
        return ask("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    JsonObject call(String tool) throws IOException, InterruptedException {
        return call(tool, "{}");
    }

    /// The text of a call's result, with `error: ` before it where it is one.
    static String text(JsonObject answer) {
        if (answer.member("error").orElse(null) instanceof JsonObject error) {
            return "protocol error: " + error.text("message").orElse("");
        }
        var result = (JsonObject) answer.member("result").orElse(JsonObject.EMPTY);
        boolean isError = result.member("isError").orElse(null) instanceof JsonBoolean(boolean is) && is;
        var content =
                result.member("content").orElse(null) instanceof JsonArray(List<JsonValue> items) && !items.isEmpty()
                        ? ((JsonObject) items.getFirst()).text("text").orElse("")
                        : "";
        return (isError ? "error: " : "") + content;
    }

    /// The answer that opened the dialogue, as JSON.
    String opened() {
        return opened;
    }

    /// The names of its tools, as the client sees them.
    List<String> tools() throws IOException, InterruptedException {
        return definitions().stream().map(tool -> tool.text("name").orElse("")).toList();
    }

    List<JsonObject> definitions() throws IOException, InterruptedException {
        var result = (JsonObject) ask("tools/list", "{}").member("result").orElse(JsonObject.EMPTY);
        return result.member("tools").orElse(null) instanceof JsonArray(List<JsonValue> items)
                ? items.stream().map(JsonObject.class::cast).toList()
                : List.of();
    }

    /// What this process said to the person.
    String notices() {
        return String.join("\n", notices);
    }

    /// The audit log as it stands.
    String log() throws IOException {
        return Files.readString(root.resolve("state/cagewright/audit.jsonl"));
    }

    /// Waits until the audit log holds `text`.
    void awaitLog(String text) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!log().contains(text)) {
            if (System.nanoTime() - end >= 0) {
                throw new IOException("not on record: " + text);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /// What another command of the product prints, both streams, for the same person.
    String product(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(PRODUCT.toString()));
        all.addAll(List.of(words));
        var other = started(root, all);
        other.getOutputStream().close();
        var out = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var err = new String(other.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return out + err + "exit " + other.waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(PATIENCE, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("still there " + PATIENCE + " s after its client had gone: " + notices);
            }
            for (Thread reader : readers) {
                reader.join();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
