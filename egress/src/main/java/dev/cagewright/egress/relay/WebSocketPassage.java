package dev.cagewright.egress.relay;

import dev.cagewright.egress.capture.MessageTap;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.http.MalformedException;
import dev.cagewright.egress.http.OneByOne;
import dev.cagewright.egress.http.OriginAnswer;
import dev.cagewright.egress.http.RequestDecoder;
import dev.cagewright.egress.upstream.HttpPool.Lease;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/// The change from HTTP to a WebSocket, once both ends have agreed: the codecs go, and bytes pass.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class WebSocketPassage {
    private WebSocketPassage() {}

    static void begin(Conversation conversation, HttpResponse answer, Lease lease, Tally tally, Scrutiny scrutiny)
            throws MalformedException {
        var here = conversation.here();
        var client = here.pipeline();
        var composed = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
        composed.headers()
                .add(OriginAnswer.compose(answer).headers())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
        var transcript = conversation.transcript();
        transcript.answered(answer, composed);
        here.writeAndFlush(composed);
        conversation.leave();
        scrutiny.guard(lease.channel(), tally);
        if (transcript.isKept()) {
            client.addLast(new MessageTap(transcript, Way.REQUEST));
            lease.channel().pipeline().addLast(new MessageTap(transcript, Way.ANSWER));
        }
        client.remove(HttpResponseEncoder.class);
        Splice.join(
                here.channel(),
                lease.channel(),
                tally,
                conversation.arrival().desk().deadlines());
        lease.channel().pipeline().remove(HttpClientCodec.class);
        lease.channel().pipeline().remove(OneByOne.class);
        client.remove(RequestDecoder.class);
        client.remove(OneByOne.class);
        here.channel().read();
        lease.channel().read();
    }
}
