package dev.cagewright.supervisor.hatch;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// What a [Clerk] says.
///
/// @param status of HTTP, 200 to 599
/// @param contentType empty where there is no body
/// @param fields of the head, besides those every answer has
public record HatchAnswer(int status, String contentType, ByteString body, Map<String, String> fields) {
    private static final Map<Integer, String> PHRASES = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(201, "Created"),
            Map.entry(202, "Accepted"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(410, "Gone"),
            Map.entry(411, "Length Required"),
            Map.entry(413, "Content Too Large"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(421, "Misdirected Request"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(505, "HTTP Version Not Supported"));

    public HatchAnswer {
        fields = Map.copyOf(fields);
    }

    public HatchAnswer(int status, String contentType, ByteString body) {
        this(status, contentType, body, Map.of());
    }

    /// This, with one field more in its head.
    public HatchAnswer with(String name, String value) {
        var more = new HashMap<>(fields);
        more.put(name, value);
        return new HatchAnswer(status, contentType, body, more);
    }

    public static HatchAnswer json(int status, JsonObject object) {
        return new HatchAnswer(status, "application/json", ByteString.copyOf(object.bytes()));
    }

    /// A refusal as RFC 9457 has it.
    ///
    /// @param code for programs, e.g. `token:hosts`
    /// @param detail for people: what, why, what to do
    public static HatchAnswer problem(int status, String code, String detail) {
        var problem = Json.object()
                .put("title", PHRASES.getOrDefault(status, "Refused"))
                .put("status", status)
                .put("code", code)
                .put("detail", detail)
                .build();
        return new HatchAnswer(status, "application/problem+json", ByteString.copyOf(problem.bytes()));
    }

    /// All of it as it goes over the wire. Nothing of it is kept by whoever reads it, framed, or guessed at.
    byte[] wire() {
        var start = head(status, contentType, fields, "Content-Length: " + body.size() + "\r\n");
        var wire = new byte[start.length + body.size()];
        System.arraycopy(start, 0, wire, 0, start.length);
        System.arraycopy(body.toByteArray(), 0, wire, start.length, body.size());
        return wire;
    }

    static byte[] head(int status, String contentType, Map<String, String> fields, String length) {
        var more = new StringBuilder();
        new TreeMap<>(fields)
                .forEach((name, value) ->
                        more.append(name).append(": ").append(value).append("\r\n"));
        var head = "HTTP/1.1 " + status + " " + PHRASES.getOrDefault(status, "Answer") + "\r\n"
                + (contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n")
                + length
                + more
                + "Cache-Control: no-store\r\n"
                + "Referrer-Policy: same-origin\r\n"
                + "X-Content-Type-Options: nosniff\r\n"
                + "X-Frame-Options: DENY\r\n"
                + "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self';"
                + " frame-ancestors 'none'; base-uri 'none'\r\n"
                + "Connection: close\r\n\r\n";
        return head.getBytes(StandardCharsets.US_ASCII);
    }
}
