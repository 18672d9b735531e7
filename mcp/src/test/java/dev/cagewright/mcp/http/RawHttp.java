package dev.cagewright.mcp.http;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Requests of HTTP as a test spells them, over a connection of its own each.
final class RawHttp {
    private final SocketAddress to;
    private final Map<String, String> fields = new LinkedHashMap<>();

    RawHttp(HttpDoor door) {
        this.to = door.socket()
                .map(path -> (SocketAddress) UnixDomainSocketAddress.of(path))
                .orElseGet(() -> new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), URI.create(door.url()).getPort()));
        fields.put("Host", URI.create(door.url()).getAuthority());
        fields.put("Content-Type", "application/json");
        fields.put("Accept", "application/json, text/event-stream");
        door.token().ifPresent(token -> fields.put("Authorization", "Bearer " + token));
    }

    /// What came back.
    ///
    /// @param fields by their names in lower case
    record Answer(int status, Map<String, String> fields, String body) {
        JsonObject json() throws JsonSyntaxException {
            return (JsonObject) Json.parse(body);
        }
    }

    RawHttp with(String name, String value) {
        fields.put(name, value);
        return this;
    }

    RawHttp without(String name) {
        fields.remove(name);
        return this;
    }

    /// An open connection on which a request was sent.
    SocketChannel send(String method, String target, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        fields.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        var channel = SocketChannel.open(to);
        var out = Channels.newOutputStream(channel);
        out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
        return channel;
    }

    Answer ask(String method, String target, String body) throws IOException {
        try (var channel = send(method, target, body)) {
            return read(Channels.newInputStream(channel));
        }
    }

    Answer post(String body) throws IOException {
        return ask("POST", HttpDoor.PATH, body);
    }

    static Answer read(InputStream in) throws IOException {
        var lines = head(in).split("\r\n", -1);
        var fields = new LinkedHashMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            fields.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        return new Answer(
                Integer.parseInt(lines[0].split(" ", -1)[1]),
                fields,
                new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    /// The head of an answer without its end.
    static String head(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer, but: " + head);
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.US_ASCII).strip();
    }
}
