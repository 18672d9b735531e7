package dev.cagewright.egress.http2;

import dev.cagewright.egress.http.FieldLine;
import dev.cagewright.egress.http.Framing;
import dev.cagewright.egress.http.Trailers;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Looks at the fields of one stream before they become those of HTTP/1 (RFC 9113 section 8.2 and 8.3): what
/// HTTP/1 could not say, or would say as something else, resets the stream.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class StreamGuard extends ChannelInboundHandlerAdapter {
    private static final Set<String> PSEUDO = Set.of(":method", ":scheme", ":authority", ":path");
    private static final Set<String> OF_A_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");

    private final Consumer<String> refused;
    private boolean hasHead;
    private boolean isBroken;

    StreamGuard(Consumer<String> refused) {
        this.refused = refused;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isBroken) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof Http2HeadersFrame frame) {
            var wrong = hasHead ? wrongTrailers(frame.headers()) : wrongHead(frame.headers());
            hasHead = true;
            if (wrong.isPresent()) {
                isBroken = true;
                refused.accept("an HTTP/2 request with " + wrong.get());
                context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
                return;
            }
        }
        context.fireChannelRead(message);
    }

    private static Optional<String> wrongTrailers(Http2Headers fields) {
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            if (field.getKey().length() > 0 && field.getKey().charAt(0) == ':') {
                return Optional.of("a pseudo field in its trailers");
            }
            if (Trailers.belongsIntoHead(field.getKey().toString())) {
                return Optional.of("a trailer that belongs into the head");
            }
        }
        return wrongFields(fields);
    }

    private static Optional<String> wrongHead(Http2Headers fields) {
        for (String name : PSEUDO) {
            if (fields.getAll(name).size() > 1) {
                return Optional.of("more than one " + name);
            }
        }
        if (fields.method() == null || fields.path() == null || fields.authority() == null) {
            return Optional.of("no :method, :path or :authority");
        }
        if (!"https".contentEquals(String.valueOf(fields.scheme()))) {
            return Optional.of("another scheme than https in TLS");
        }
        if (!FieldLine.isToken(fields.method().toString()) || "CONNECT".contentEquals(fields.method())) {
            return Optional.of("a method that is none");
        }
        var path = fields.path().toString();
        if (!path.startsWith("/") || !path.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            return Optional.of("a :path that is none");
        }
        var lengths = fields.getAll("content-length");
        if (lengths.size() > 1) {
            return Optional.of("more than one content-length");
        }
        if (!lengths.isEmpty() && !Framing.isLength(lengths.getFirst().toString())) {
            return Optional.of("a content-length that is no number");
        }
        return wrongFields(fields);
    }

    private static Optional<String> wrongFields(Http2Headers fields) {
        for (Map.Entry<CharSequence, CharSequence> field : fields) {
            var name = field.getKey().toString();
            var value = field.getValue().toString();
            if (name.startsWith(":") && !PSEUDO.contains(name)) {
                return Optional.of("a pseudo field that is none");
            }
            if (!name.startsWith(":")
                    && (!FieldLine.isToken(name) || name.chars().anyMatch(c -> c >= 'A' && c <= 'Z'))) {
                return Optional.of("a field without a proper name");
            }
            if (OF_A_CONNECTION.contains(name) || (name.equals("te") && !value.equals("trailers"))) {
                return Optional.of("a field of one connection");
            }
            if (!value.equals(FieldLine.trimmed(value)) || !value.chars().allMatch(FieldLine::isOfValue)) {
                return Optional.of("a control character or a blank at an end of a value");
            }
        }
        return Optional.empty();
    }
}
