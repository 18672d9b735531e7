package dev.cagewright.egress.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2ResetFrame;

/// Some servers (Node's) end a stream whose answer said its length with RST_STREAM and NO_ERROR behind the last byte,
/// without END_STREAM. Where all of that length has come, the answer is whole; otherwise it stays one that was cut. For
/// one stream to an origin, between the message codec and whoever reads.
final class EndByLength extends ChannelInboundHandlerAdapter {
    private static final long UNSAID = -1;

    private long missing = UNSAID;
    private boolean hasEnded;
    private boolean isReset;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpResponse head) {
            missing = HttpUtil.getContentLength(head, UNSAID);
        }
        if (message instanceof HttpContent content && missing != UNSAID) {
            missing -= content.content().readableBytes();
        }
        hasEnded |= message instanceof LastHttpContent;
        context.fireChannelRead(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof Http2ResetFrame reset) {
            isReset |= reset.errorCode() == Http2Error.NO_ERROR.code();
        }
        context.fireUserEventTriggered(event);
    }

    /// What was kept of the stream has been read by now.
    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (isReset && !hasEnded && missing == 0) {
            hasEnded = true;
            context.fireChannelRead(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        context.fireChannelInactive();
    }
}
