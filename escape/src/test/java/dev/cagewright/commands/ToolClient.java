package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A client by hand of `mcp serve`: writes lines, reads lines, and believes nothing that is not one JSON object a line.
final class ToolClient implements AutoCloseable {
    private static final long PATIENCE = 60;

    private final Process process;
    private final Path err;
    private final OutputStream out;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<JsonObject> seen = new ArrayList<>();
    private long next = 1;

    private ToolClient(Process process, Path err) {
        this.process = process;
        this.err = err;
        this.out = process.getOutputStream();
    }

    /// Starts the server and opens the dialogue.
    static ToolClient open(Desk desk, String policy, String... options) throws IOException, InterruptedException {
        var err = Files.createTempFile(desk.root(), "serve", ".err");
        var words = new ArrayList<>(List.of(Desk.PRODUCT.toString(), "mcp", "serve", "--policy", policy));
        words.addAll(List.of(options));
        var client = new ToolClient(desk.start(words, ProcessBuilder.Redirect.to(err.toFile())), err);
        Thread.ofVirtual().start(client::read);
        var opened = client.ask("initialize", """
                {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hand", "version": "1"}}""");
        assertThat(opened.write()).contains("\"name\":\"cagewright\"");
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        return client;
    }

    private void read() {
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
        } catch (IOException _) {
            return; // it is gone
        }
    }

    void send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /// Sends a request and does not wait.
    long begin(String method, String params) throws IOException {
        long id = next++;
        send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":"
                + params.replace("\n", " ") + "}\n");
        return id;
    }

    JsonObject ask(String method, String params) throws IOException, InterruptedException {
        return answerTo(begin(method, params));
    }

    JsonObject call(String tool, String arguments) throws IOException, InterruptedException {
        return ask("tools/call", "{\"name\": \"" + tool + "\", \"arguments\": " + arguments + "}");
    }

    JsonObject answerTo(long id) throws InterruptedException {
        return await(message ->
                message.member("id").filter(JsonNumber.of(id)::equals).isPresent());
    }

    JsonObject await(Predicate<JsonObject> wanted) throws InterruptedException {
        var before = seen.stream().filter(wanted).findFirst();
        if (before.isPresent()) {
            return before.get();
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (System.nanoTime() < end) {
            var line = Optional.ofNullable(lines.poll(1, TimeUnit.SECONDS));
            if (line.isPresent()) {
                var message = parsed(line.get());
                seen.add(message);
                if (wanted.test(message)) {
                    return message;
                }
            }
        }
        throw new AssertionError("no answer; seen: " + seen);
    }

    private static JsonObject parsed(String line) {
        try {
            return (JsonObject) Json.parse(line);
        } catch (JsonSyntaxException | ClassCastException e) {
            throw new AssertionError("on standard output: " + line, e);
        }
    }

    /// Closes the client's side and waits for the end.
    ///
    /// @return the exit code
    int end() throws IOException, InterruptedException {
        out.close();
        assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /// What came that nobody waited for.
    List<String> rest() {
        return List.copyOf(lines);
    }

    String said() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
