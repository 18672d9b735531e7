package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server of the session era on loopback. What it does not play it answers as a plain one does; it does not check
/// what it is sent.
final class PlayedServer implements AutoCloseable {
    static final String SESSION = "Mcp-Session-Id: s-1";

    private final ServerSocket listening;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final Play play;

    /// One request of HTTP.
    ///
    /// @param verb of HTTP
    /// @param headers by names in small letters
    record Heard(String verb, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        JsonObject message() {
            try {
                return body.isEmpty() ? JsonObject.EMPTY : (JsonObject) Json.parse(body);
            } catch (JsonSyntaxException e) {
                throw new IllegalStateException(e);
            }
        }

        /// Of the message; empty if there is none.
        String method() {
            return message().text("method").orElse("");
        }

        String id() {
            return message().member("id").map(JsonValue::write).orElse("null");
        }
    }

    /// What it does.
    @FunctionalInterface
    interface Play {
        /// Answers it, or leaves that.
        ///
        /// @return no, if a plain server would do
        boolean answers(Heard request, Reply reply) throws IOException, InterruptedException;
    }

    /// Where an answer goes; the connection ends with it.
    record Reply(Socket socket) {
        /// @param body with `'` for `"`
        boolean json(int status, String body, String... headers) throws IOException {
            return whole(status, "application/json", body.replace('\'', '"'), headers);
        }

        boolean whole(int status, String type, String body, String... headers) throws IOException {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            head(status, type, List.of(headers), "Content-Length: " + bytes.length);
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return true;
        }

        /// Begins a stream, which ends with the connection.
        Reply stream(String... headers) throws IOException {
            head(200, "text/event-stream", List.of(headers), "Cache-Control: no-store");
            socket.getOutputStream().flush();
            return this;
        }

        /// @param text with `'` for `"`
        boolean write(String text) throws IOException {
            socket.getOutputStream().write(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return true;
        }

        /// Writes on and on until nobody takes it any more.
        boolean flood(String text) throws IOException {
            var bytes = text.repeat(Math.max(1, 65_536 / text.length())).getBytes(StandardCharsets.UTF_8);
            OutputStream out = socket.getOutputStream();
            for (long sent = 0; sent < 1L << 30; sent += bytes.length) {
                out.write(bytes);
            }
            throw new IllegalStateException("it took a GiB");
        }

        private void head(int status, String type, List<String> headers, String last) throws IOException {
            var text = new StringBuilder(
                    "HTTP/1.1 " + status + " Said\r\nConnection: close\r\nContent-Type: " + type + "\r\n");
            headers.forEach(header -> text.append(header).append("\r\n"));
            text.append(last).append("\r\n\r\n");
            socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    PlayedServer(Play play) throws IOException {
        this.play = play;
        listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /// All that it heard, in order.
    List<Heard> heard() {
        return List.copyOf(heard);
    }

    /// The messages of that method.
    List<Heard> heard(String method) {
        return heard.stream().filter(one -> one.method().equals(method)).toList();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                var socket = listening.accept();
                Thread.ofVirtual().start(() -> attend(socket));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void attend(Socket socket) {
        try (socket) {
            var request = read(socket.getInputStream());
            heard.add(request);
            var reply = new Reply(socket);
            if (!play.answers(request, reply)) {
                plain(request, reply);
            }
        } catch (IOException _) {
            return; // the client is gone
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean plain(Heard request, Reply reply) throws IOException {
        if (!request.verb().equals("POST")) {
            return reply.whole(request.verb().equals("GET") ? 405 : 200, "text/plain", "");
        }
        return switch (request.method()) {
            case "server/discover" ->
                reply.json(
                        400,
                        "{'jsonrpc':'2.0','id':null,'error':{'code':-32000,'message':'Bad Request: Server not"
                                + " initialized'}}");
            case "initialize" ->
                reply.json(
                        200,
                        "{'jsonrpc':'2.0','id':" + request.id()
                                + ",'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},"
                                + "'serverInfo':{'name':'played','version':'1'}}}",
                        SESSION);
            case "again" -> reply.json(200, "{'jsonrpc':'2.0','id':" + request.id() + ",'result':{'again':1}}");
            default -> reply.whole(202, "text/plain", "");
        };
    }

    private static Heard read(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int one = in.read();
            if (one < 0) {
                throw new IOException("gone");
            }
            head.append((char) one);
        }
        var lines = head.toString().lines().toList();
        var headers = new LinkedHashMap<String, String>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        var body = headers.containsKey("transfer-encoding")
                ? chunks(in)
                : in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Heard(lines.getFirst().split(" ", -1)[0], headers, new String(body, StandardCharsets.UTF_8));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        throw new IOException("chunks are not read here: " + in);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
