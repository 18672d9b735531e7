package dev.cagewright.egress.credential;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/// What a body is, by its `Content-Type`.
enum Media {
    /// JSON, one value or one a line.
    JSON,
    /// Server-sent events.
    EVENTS,
    /// `application/x-www-form-urlencoded`.
    FORM,
    TEXT,
    BINARY;

    static Media of(HttpHeaders fields) {
        var said = fields.get(HttpHeaderNames.CONTENT_TYPE);
        var type = (said == null ? "" : said).split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.endsWith("/json")
                || type.endsWith("+json")
                || type.endsWith("ndjson")
                || type.endsWith("jsonl")
                || type.endsWith("json-seq")) {
            return JSON;
        }
        return switch (type) {
            case "text/event-stream" -> EVENTS;
            case "application/x-www-form-urlencoded" -> FORM;
            case "" -> TEXT;
            default -> type.startsWith("text/") || isOfText(type) ? TEXT : BINARY;
        };
    }

    private static boolean isOfText(String type) {
        return type.endsWith("xml") || type.endsWith("javascript") || type.endsWith("yaml") || type.endsWith("graphql");
    }
}
