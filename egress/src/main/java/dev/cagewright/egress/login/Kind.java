package dev.cagewright.egress.login;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/// What an answer says that it is.
enum Kind {
    JSON,
    /// `application/x-www-form-urlencoded`.
    PAIRS,
    /// It says nothing, or something else.
    OTHER;

    static Kind of(HttpHeaders fields) {
        var type = fields.get(HttpHeaderNames.CONTENT_TYPE, "")
                .split(";", 2)[0]
                .strip()
                .toLowerCase(Locale.ROOT);
        if (type.endsWith("/json") || type.endsWith("+json")) {
            return JSON;
        }
        return type.equals("application/x-www-form-urlencoded") ? PAIRS : OTHER;
    }
}
