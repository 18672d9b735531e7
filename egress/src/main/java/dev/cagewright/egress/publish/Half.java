package dev.cagewright.egress.publish;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.atomic.AtomicLong;

/// One way of a connection: what is read here is written there, never more than there is taken; an end here is one
/// there. Both channels are on one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Half extends ChannelInboundHandlerAdapter {
    private final Channel other;
    private final AtomicLong bytes;
    private boolean ended;

    Half(Channel other, AtomicLong bytes) {
        this.other = other;
        this.bytes = bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf piece)) {
            ReferenceCountUtil.release(message);
            return;
        }
        bytes.addAndGet(piece.readableBytes());
        other.writeAndFlush(piece).addListener(written -> {
            if (!written.isSuccess()) {
                context.close();
            }
        });
        if (other.isWritable()) {
            context.read();
        }
    }

    /// This side takes bytes again, so the other is read again.
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            other.read();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent && !ended) {
            ended = true;
            var flushed = other.writeAndFlush(Unpooled.EMPTY_BUFFER);
            if (other instanceof DuplexChannel duplex) {
                flushed.addListener(_ -> duplex.shutdownOutput());
                if (duplex.isInputShutdown()) {
                    flushed.addListener(_ -> context.close());
                }
            }
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
        other.close();
    }
}
