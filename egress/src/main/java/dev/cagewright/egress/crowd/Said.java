package dev.cagewright.egress.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Tells a [Crowd] how much a connection says, as it comes from the socket. The first of its handlers.
public final class Said extends ChannelInboundHandlerAdapter {
    private final Crowd crowd;

    public Said(Crowd crowd) {
        this.crowd = crowd;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            crowd.said(context.channel(), bytes.readableBytes());
        }
        context.fireChannelRead(message);
    }
}
