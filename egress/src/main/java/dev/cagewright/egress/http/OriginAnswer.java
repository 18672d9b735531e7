package dev.cagewright.egress.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/// The answer to the cage, composed from the origin's.
public final class OriginAnswer {
    /// RFC 8297: what an early hint is about.
    private static final String LINK = "link";

    /// What comes behind the head of an answer.
    public enum Ending {
        WITH_BODY,
        HEAD_ONLY
    }

    private OriginAnswer() {}

    /// The head of the answer.
    ///
    /// @throws MalformedException if a field cannot travel on
    public static HttpResponse compose(HttpResponse answer) throws MalformedException {
        requireOneReading(answer);
        var fields = new Fields(answer.headers(), answer.protocolVersion()).forwarded();
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, answer.status(), fields);
    }

    /// Chunks were taken apart; any other coding is still on the body, which nothing would say any more.
    private static void requireOneReading(HttpResponse answer) throws MalformedException {
        int status = answer.status().code();
        if (status < 100 || status > 999) {
            throw new MalformedException("a status that is no number of three digits");
        }
        if (!FieldLine.isValue(answer.status().reasonPhrase())) {
            throw new MalformedException("a control character in its first line");
        }
        for (var field : answer.headers()) {
            if (!FieldLine.isToken(field.getKey()) || !FieldLine.isValue(field.getValue())) {
                throw new MalformedException("a header field that is none");
            }
        }
        for (String coding : answer.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING)) {
            if (!coding.equalsIgnoreCase("chunked") && !coding.equalsIgnoreCase("identity")) {
                throw new MalformedException("a Transfer-Encoding other than chunked");
            }
        }
    }

    /// An answer without a body, whole.
    ///
    /// @throws MalformedException if a field cannot travel on
    public static FullHttpResponse composeWhole(HttpResponse answer) throws MalformedException {
        requireOneReading(answer);
        var fields = new Fields(answer.headers(), answer.protocolVersion()).forwarded();
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, answer.status(), Unpooled.EMPTY_BUFFER, fields, EmptyHttpHeaders.INSTANCE);
    }

    /// An interim answer with what it hints at.
    public static FullHttpResponse interim(HttpResponse answer) {
        var fields = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        answer.headers().getAll(LINK).forEach(link -> fields.add(LINK, link));
        var status = HttpResponseStatus.valueOf(answer.status().code());
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER, fields, EmptyHttpHeaders.INSTANCE);
    }

    /// RFC 9112 section 6.3: these have no body, whatever their fields say.
    public static Ending ending(RequestHead head, HttpResponse answer) {
        int status = answer.status().code();
        return head.method().equals("HEAD") || status == 204 || status == 304 ? Ending.HEAD_ONLY : Ending.WITH_BODY;
    }
}
