package dev.cagewright.guests;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A client's side of the product as an MCP server: one request after the other, over the pipes of its process.
final class WrappedServer implements AutoCloseable {
    static final Path PRODUCT = Path.of("..", "cagewright").toAbsolutePath().normalize();

    private final Process process;
    private final BufferedReader answers;
    private final Path errors;
    private int id;

    private WrappedServer(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /// Starts it below `root`, whose folder `workspace` is the workspace, and opens it.
    ///
    /// @param words behind `cagewright mcp`
    static WrappedServer start(Path root, String... words) throws IOException, JsonSyntaxException {
        var all = new ArrayList<>(List.of(PRODUCT.toString(), "mcp"));
        all.addAll(List.of(words));
        var errors = Files.createTempFile(root, "said", ".err");
        var builder = new ProcessBuilder(all)
                .directory(root.resolve("workspace").toFile())
                .redirectError(errors.toFile());
        var variables = new HashMap<>(System.getenv());
        variables.put("XDG_STATE_HOME", root.resolve("state").toString());
        variables.put("XDG_CONFIG_HOME", root.resolve("config").toString());
        variables.put("HOME", root.resolve("home").toString());
        builder.environment().clear();
        builder.environment().putAll(variables);
        var server = new WrappedServer(builder.start(), errors);
        server.ask(
                "initialize",
                "{'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'test','version':'1'}}");
        server.send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
        return server;
    }

    private void send(String message) throws IOException {
        process.getOutputStream().write((message.replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /// The answer to a request, as JSON with `'` for `"`.
    String ask(String method, String params) throws IOException, JsonSyntaxException {
        id++;
        send("{'jsonrpc':'2.0','id':" + id + ",'method':'" + method + "','params':" + params + "}");
        while (true) {
            var line = answers.readLine();
            if (line == null) {
                throw new IOException("no answer to " + method + ": " + said());
            }
            var read = (JsonObject) Json.parse(line);
            if (read.member("id")
                    .map(value -> value.write().equals(Integer.toString(id)))
                    .orElse(false)) {
                return line.replace('"', '\'');
            }
        }
    }

    String call(String tool, String arguments) throws IOException, JsonSyntaxException {
        return ask("tools/call", "{'name':'" + tool + "','arguments':" + arguments + "}");
    }

    /// What was said to its error output so far.
    String said() throws IOException {
        return Files.readString(errors);
    }

    /// Kills it as nobody can defend against.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// Closes its input, and waits for its end.
    int end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IOException("it does not end when its client does");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
