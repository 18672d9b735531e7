package dev.cagewright.egress.http2;

import dev.cagewright.egress.deadline.Watchdog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The end of a connection that speaks HTTP/2: closes it when it has had no stream for a while or has failed.
/// Settings, pings and farewells of the connection are the codec's business. For one event loop.
final class IdleClose extends ChannelInboundHandlerAdapter {
    private final Http2FrameCodec codec;
    private final Duration idle;
    private @Nullable Watchdog watchdog;

    IdleClose(Http2FrameCodec codec, Duration idle) {
        this.codec = codec;
        this.idle = idle;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        var dog = new Watchdog(context.channel().eventLoop(), () -> look(context));
        watchdog = dog;
        dog.expect(idle);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
    private void look(ChannelHandlerContext context) {
        if (codec.connection().numActiveStreams() == 0) {
            context.close();
        } else if (watchdog != null) {
            watchdog.expect(idle);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (watchdog != null) {
            watchdog.progress();
        }
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (watchdog != null) {
            watchdog.cancel();
        }
        context.fireChannelInactive();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
