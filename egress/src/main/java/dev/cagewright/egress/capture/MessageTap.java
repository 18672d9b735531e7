package dev.cagewright.egress.capture;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Hears the messages of one direction of a WebSocket while their bytes pass. For one event loop.
public final class MessageTap extends ChannelInboundHandlerAdapter {
    private final MessageReader reader;

    public MessageTap(Transcript transcript, Way way) {
        this.reader = new MessageReader(transcript.messageLimit(), message -> transcript.message(way, message));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            reader.look(bytes);
        }
        context.fireChannelRead(message);
    }
}
