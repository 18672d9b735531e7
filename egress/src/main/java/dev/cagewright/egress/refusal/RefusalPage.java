package dev.cagewright.egress.refusal;

import dev.cagewright.egress.desk.PolicyDesk;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/// A [Refusal] as an answer: `application/problem+json` (RFC 9457), a page for who would rather read HTML, or a
/// status of gRPC for a client of that.
public final class RefusalPage {
    private static final String TYPE = "urn:cagewright:problem:";

    private RefusalPage() {}

    /// The answer that says it, in a cage that has no desk.
    ///
    /// @param asked the request's fields; empty when there are none that can be trusted
    public static FullHttpResponse of(Refusal refusal, Optional<HttpHeaders> asked) {
        return of(refusal, asked, PolicyDesk.NONE);
    }

    /// The answer that says it.
    ///
    /// @param asked the request's fields; empty when there are none that can be trusted
    /// @param desk where the cage can read more, and ask for more
    public static FullHttpResponse of(Refusal refusal, Optional<HttpHeaders> asked, PolicyDesk desk) {
        if (asked.filter(RefusalGrpc::isAsked).isPresent()) {
            return RefusalGrpc.of(refusal);
        }
        boolean isPage = asked.map(RefusalPage::prefersHtml).orElse(false);
        var body = (isPage ? html(refusal, desk) : json(refusal, desk)).getBytes(StandardCharsets.UTF_8);
        var answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(refusal.status()), Unpooled.wrappedBuffer(body));
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, isPage ? "text/html; charset=utf-8" : "application/problem+json")
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        return answer;
    }

    private static boolean prefersHtml(HttpHeaders asked) {
        var accept = String.join(",", asked.getAll(HttpHeaderNames.ACCEPT)).toLowerCase(Locale.ROOT);
        int html = accept.indexOf("text/html");
        int json = accept.indexOf("json");
        return html >= 0 && (json < 0 || html < json);
    }

    private static Optional<String> instance(Refusal refusal, PolicyDesk desk) {
        return refusal.decision()
                .filter(_ -> desk.isOpen() && refusal.isDecided())
                .map(id -> PolicyDesk.BASE + "decisions/" + id);
    }

    private static Optional<String> ask(Refusal refusal, PolicyDesk desk) {
        return instance(refusal, desk)
                .filter(_ -> desk.takesRequests() && refusal.hope() == Refusal.Hope.GRANT)
                .map(_ -> "GET the instance, and POST its ask_with as application/json to " + PolicyDesk.BASE
                        + "allowlist/requests");
    }

    private static String json(Refusal refusal, PolicyDesk desk) {
        var out = new StringBuilder("{");
        member(out, "type", TYPE + refusal.type());
        member(out, "title", refusal.title());
        out.append(",\"status\":").append(refusal.status());
        member(out, "detail", refusal.detail());
        refusal.decision().ifPresent(id -> member(out, "decision", id));
        refusal.rule().ifPresent(rule -> member(out, "rule", rule));
        if (!refusal.fix().isEmpty()) {
            member(out, "fix", String.join("\n", refusal.fix()));
        }
        refusal.decision().ifPresent(id -> member(out, "more", "cagewright why " + id));
        instance(refusal, desk).ifPresent(url -> member(out, "instance", url));
        ask(refusal, desk).ifPresent(how -> member(out, "ask", how));
        return out.append("}\n").toString();
    }

    private static void member(StringBuilder out, String name, String value) {
        out.append(out.length() == 1 ? "" : ",").append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static String html(Refusal refusal, PolicyDesk desk) {
        var out = new StringBuilder("<!doctype html><meta charset=utf-8><title>")
                .append(escaped(refusal.title()))
                .append("</title><h1>")
                .append(escaped(refusal.title()))
                .append("</h1><p>")
                .append(escaped(refusal.detail()))
                .append("</p>");
        refusal.rule()
                .ifPresent(rule ->
                        out.append("<p>Rule: <code>").append(escaped(rule)).append("</code></p>"));
        if (!refusal.fix().isEmpty()) {
            out.append("<p>What would allow it:</p><pre>")
                    .append(escaped(String.join("\n", refusal.fix())))
                    .append("</pre>");
        }
        refusal.decision()
                .ifPresent(id -> out.append("<p><code>cagewright why ")
                        .append(escaped(id))
                        .append("</code></p>"));
        instance(refusal, desk)
                .ifPresent(url -> out.append("<p><code>").append(url).append("</code></p>"));
        ask(refusal, desk)
                .ifPresent(how ->
                        out.append("<p>To ask for it: ").append(escaped(how)).append("</p>"));
        return out.append('\n').toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
