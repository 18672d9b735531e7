package dev.cagewright.egress.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Locale;

/// How long a request's body is, RFC 9112 section 6. One answer or none: two lengths, a length beside a
/// coding, a coding other than one `chunked` are refused.
public sealed interface Framing {
    Framing NONE = new Length(0);

    /// So many bytes.
    ///
    /// @param bytes 0 for no body
    record Length(long bytes) implements Framing {}

    /// Until the chunk that is empty.
    record Chunked() implements Framing {}

    static Framing of(HttpHeaders fields, HttpVersion version) throws MalformedException {
        List<String> codings = fields.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        List<String> lengths = fields.getAll(HttpHeaderNames.CONTENT_LENGTH);
        if (!codings.isEmpty()) {
            return ofCodings(codings, lengths, version);
        }
        if (lengths.size() > 1) {
            throw new MalformedException("more than one Content-Length");
        }
        return lengths.isEmpty() ? NONE : new Length(length(lengths.getFirst()));
    }

    private static Framing ofCodings(List<String> codings, List<String> lengths, HttpVersion version)
            throws MalformedException {
        if (!lengths.isEmpty()) {
            throw new MalformedException("both Content-Length and Transfer-Encoding");
        }
        if (!version.equals(HttpVersion.HTTP_1_1)) {
            throw new MalformedException("Transfer-Encoding in a message that is not HTTP/1.1");
        }
        if (codings.size() != 1 || !codings.getFirst().toLowerCase(Locale.ROOT).equals("chunked")) {
            throw new MalformedException("a Transfer-Encoding other than chunked");
        }
        return new Chunked();
    }

    /// Is it a length as it has to be written: decimal digits, no more than 18?
    static boolean isLength(String text) {
        return !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long length(String text) throws MalformedException {
        if (!isLength(text)) {
            throw new MalformedException("a Content-Length that is no number");
        }
        return Long.parseLong(text);
    }
}
