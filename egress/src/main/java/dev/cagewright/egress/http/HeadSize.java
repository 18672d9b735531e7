package dev.cagewright.egress.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;

/// How many bytes of a message are no body, as HTTP/1.1 writes them; compression of HTTP/2 is left out of it, so
/// that the same message costs the same.
public final class HeadSize {
    /// ` HTTP/1.1`, or `HTTP/1.1 ` with the status and a blank.
    private static final int VERSION = 9;

    private static final int STATUS = 4;
    private static final int LINE_END = 2;
    private static final int SEPARATOR = 2;

    private HeadSize() {}

    public static long of(HttpRequest request) {
        int line = request.method().name().length() + 1 + request.uri().length() + VERSION + LINE_END;
        return line + of(request.headers()) + LINE_END;
    }

    public static long of(HttpResponse answer) {
        int line = VERSION + STATUS + answer.status().reasonPhrase().length() + LINE_END;
        return line + of(answer.headers()) + LINE_END;
    }

    /// Of the trailers; 0 where there are none.
    public static long ofTrailers(HttpContent content) {
        return content instanceof LastHttpContent last ? of(last.trailingHeaders()) : 0;
    }

    /// Of the fields alone.
    public static long of(HttpHeaders fields) {
        long size = 0;
        for (var each = fields.iteratorCharSequence(); each.hasNext(); ) {
            var field = each.next();
            size += field.getKey().length() + SEPARATOR + field.getValue().length() + LINE_END;
        }
        return size;
    }
}
