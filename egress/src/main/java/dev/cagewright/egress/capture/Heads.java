package dev.cagewright.egress.capture;

import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Heads as they are kept.
final class Heads {
    private Heads() {}

    /// What the cage asked.
    ///
    /// @param target as it was written
    static Head.Request asked(RequestHead head, Authority authority, String target, Spoken spoken) {
        return new Head.Request(
                head.method(),
                url(target, authority, spoken, head),
                version(spoken, head.fields().version()),
                fields(head.fields().all(), spoken));
    }

    /// What the gateway asks.
    static Head.Request composed(RequestHead head, Authority origin, HttpRequest request, Spoken spoken) {
        return new Head.Request(
                request.method().name(),
                url(request.uri(), origin, spoken, head),
                version(spoken, request.protocolVersion()),
                fields(request.headers(), spoken));
    }

    static Head.Answer answer(HttpResponse answer, Spoken spoken) {
        return new Head.Answer(
                answer.status().code(),
                spoken == Spoken.TLS_2 ? "" : answer.status().reasonPhrase(),
                version(spoken, answer.protocolVersion()),
                fields(answer.headers(), spoken));
    }

    private static String url(String target, Authority authority, Spoken spoken, RequestHead head) {
        if (!target.startsWith("/")) {
            return Unspoken.url(target.contains("://") ? target : "http://" + target + "/");
        }
        var scheme = head.asksForWebSocket() ? spoken.messageScheme() : spoken.scheme();
        return Unspoken.url(scheme + "://" + authority.text(spoken.usualPort()) + target);
    }

    private static String version(Spoken spoken, HttpVersion version) {
        return spoken == Spoken.TLS_2 ? "HTTP/2" : version.text();
    }

    /// Without what stands for HTTP/2 in a message object and never was said.
    private static List<Field> fields(HttpHeaders fields, Spoken spoken) {
        if (spoken != Spoken.TLS_2) {
            return Unspoken.fields(fields);
        }
        var said = new ArrayList<>(Unspoken.fields(fields));
        said.removeIf(field -> isOfHttp1(field.name().toLowerCase(Locale.ROOT)));
        return said;
    }

    private static boolean isOfHttp1(String name) {
        return name.startsWith("x-http2-") || name.equals("transfer-encoding") || name.equals("connection");
    }
}
