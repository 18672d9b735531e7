package dev.cagewright.egress.relay;

import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.tls.TlsClients.Offer;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/// The request to the origin, composed from what was judged.
final class OriginRequest {
    private static final String HOST = "Host";

    private OriginRequest() {}

    /// HTTP/2 stays HTTP/2 where the origin speaks it; a WebSocket is one of HTTP/1.
    static Offer offer(RequestHead head, Wire wire) {
        return wire == Wire.STREAM_2 && !head.asksForWebSocket() ? Offer.HTTP_2_OR_1 : Offer.HTTP_1;
    }

    static HttpRequest compose(RequestHead head, Judging.Ruling.Goes goes) {
        var origin = goes.origin();
        var fields =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        fields.set(HOST, origin.named().text(origin.usualPort()));
        head.forwarded().forEach(field -> {
            if (!field.getKey().equalsIgnoreCase(HOST)) {
                fields.add(field.getKey(), field.getValue());
            }
        });
        frame(head.fields().all(), fields);
        if (head.asksForWebSocket()) {
            fields.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                    .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        }
        var target = goes.action().path() + head.query().map(text -> "?" + text).orElse("");
        var method = HttpMethod.valueOf(goes.action().method());
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, target, fields);
    }

    /// The length was read strictly, so it is said again as it was; a body of unknown length is chunked.
    private static void frame(HttpHeaders asked, HttpHeaders composed) {
        if (asked.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            composed.remove(HttpHeaderNames.CONTENT_LENGTH);
            composed.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
    }
}
