package dev.cagewright.egress.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.Deque;

/// Hands on one message for each time that somebody reads, and keeps the others that were decoded from the
/// same bytes. While the channel reads by itself, everything goes on at once; at the end of the channel too.
/// For one channel.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class OneByOne extends ChannelDuplexHandler {
    private final Deque<Object> kept = new ArrayDeque<>();
    private boolean isWanted;
    private boolean isEmitting;
    private boolean isFree;

    /// For a new channel.
    public OneByOne() {}

    @Override
    public void read(ChannelHandlerContext context) {
        isWanted = true;
        if (!isEmitting) {
            emit(context);
            if (isWanted) {
                context.read();
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        kept.addLast(message);
        if (!isEmitting) {
            emit(context);
        }
    }

    /// A loop, so that whoever reads again while it is handed a message does not make the stack deeper.
    private void emit(ChannelHandlerContext context) {
        isEmitting = true;
        try {
            while (!kept.isEmpty()
                    && (isWanted || isFree || context.channel().config().isAutoRead())) {
                isWanted = false;
                context.fireChannelRead(kept.removeFirst());
            }
        } finally {
            isEmitting = false;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (isWanted && !context.channel().config().isAutoRead()) {
            context.read();
        }
        context.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        isFree = true;
        emit(context);
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        isFree = true;
        emit(context);
        if (isWanted) {
            context.read();
        }
    }
}
