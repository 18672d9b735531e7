package dev.cagewright.egress.refusal;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/// A [Refusal] as gRPC says it: a head that is its own end, with status and message (PROTOCOL-HTTP2 of gRPC,
/// "Trailers-Only"). Its clients take a body for messages of theirs, and show neither page nor JSON.
final class RefusalGrpc {
    private static final String TYPE = "application/grpc";

    private RefusalGrpc() {}

    static boolean isAsked(HttpHeaders asked) {
        var type = asked.get(HttpHeaderNames.CONTENT_TYPE, "").toLowerCase(Locale.ROOT);
        return type.equals(TYPE) || type.startsWith(TYPE + "+") || type.startsWith(TYPE + ";");
    }

    static FullHttpResponse of(Refusal refusal) {
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        var more = refusal.decision().map(id -> " (cagewright why " + id + ")").orElse("");
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, TYPE)
                .set("grpc-status", status(refusal.status()))
                .set("grpc-message", encoded(refusal.title() + ": " + refusal.detail() + more));
        return answer;
    }

    /// The status that gRPC's clients make of one of HTTP (http-grpc-status-mapping of gRPC).
    private static int status(int http) {
        return switch (http) {
            case 400, 431, 500 -> 13; // INTERNAL
            case 403 -> 7; // PERMISSION_DENIED
            case 429 -> 8; // RESOURCE_EXHAUSTED
            case 502, 503, 504 -> 14; // UNAVAILABLE
            default -> 2; // UNKNOWN
        };
    }

    /// Percent-encoded but for printable ASCII.
    private static String encoded(String text) {
        var out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b < 0x7f && b != '%') {
                out.append((char) b);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }
}
