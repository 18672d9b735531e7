package dev.cagewright.mcp.stdio;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.door.Faults;
import dev.cagewright.mcp.offer.Offer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A client at a [StdioDoor], with pipes of the kernel between.
final class PipedClient implements AutoCloseable {
    private final Pipe there;
    private final Pipe back;
    private final OutputStream out;
    private final BufferedReader in;
    private final Thread server;

    PipedClient(Offer offer) throws IOException {
        this(offer, Duration.ofSeconds(30));
    }

    PipedClient(Offer offer, Duration patience) throws IOException {
        there = Pipe.open();
        back = Pipe.open();
        out = Channels.newOutputStream(there.sink());
        in = new BufferedReader(new InputStreamReader(Channels.newInputStream(back.source()), StandardCharsets.UTF_8));
        var terms = new StdioDoor.Terms(offer, Faults.LOGGED, patience);
        server = Thread.ofPlatform()
                .daemon()
                .start(() -> StdioDoor.serve(
                        terms, Channels.newInputStream(there.source()), Channels.newOutputStream(back.sink())));
    }

    void bytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    void say(String line) throws IOException {
        bytes((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// The next message of the server.
    JsonValue next() throws Exception {
        var line = in.readLine();
        if (line == null) {
            throw new IOException("the server said no more");
        }
        return Json.parse(line.getBytes(StandardCharsets.UTF_8));
    }

    JsonObject nextObject() throws Exception {
        return (JsonObject) next();
    }

    JsonObject ask(String line) throws Exception {
        say(line);
        return nextObject();
    }

    /// The answer to the request `id`, past whatever else comes.
    JsonObject answerTo(long id) throws Exception {
        return until(message -> message.member("id").equals(Optional.of(JsonNumber.of(id)))
                && message.member("method").isEmpty());
    }

    JsonObject until(Predicate<JsonObject> wanted) throws Exception {
        while (true) {
            var message = nextObject();
            if (wanted.test(message)) {
                return message;
            }
        }
    }

    JsonObject open(String version, String capabilities) throws Exception {
        var answer = ask("""
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s","capabilities":%s,\
                "clientInfo":{"name":"test","version":"1"}}}""".formatted(version, capabilities));
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        return answer;
    }

    static String call(long id, String tool, String arguments) {
        return """
                {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}""".formatted(id, tool, arguments);
    }

    /// A request of the stateless version.
    ///
    /// @param params the members of it, without `_meta`
    static String modern(long id, String method, String capabilities, String params) {
        return """
                {"jsonrpc":"2.0","id":%d,"method":"%s","params":{"_meta":{\
                "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                "io.modelcontextprotocol/clientCapabilities":%s}%s}}""".formatted(id, method, capabilities, params.isEmpty() ? "" : "," + params);
    }

    /// Closes the way to the server.
    void hangUp() throws IOException {
        out.close();
    }

    /// Closes the way back.
    void stopReading() throws IOException {
        in.close();
    }

    boolean serverEnds() throws InterruptedException {
        server.join(TimeUnit.SECONDS.toMillis(60));
        return !server.isAlive();
    }

    /// Waits for the server to be done, and reads what is left.
    String rest() throws IOException, InterruptedException {
        if (!serverEnds()) {
            throw new IllegalStateException("the server did not end");
        }
        back.sink().close();
        var left = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            left.append(line).append('\n');
        }
        return left.toString();
    }

    @Override
    public void close() throws IOException {
        out.close();
        in.close();
        there.source().close();
        back.sink().close();
    }
}
