package dev.cagewright.egress.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.Deque;

/// Hands on one message for each time that somebody reads, and keeps the others that were decoded from the
/// same bytes. While the channel reads by itself, everything goes on at once; at the end of the channel too.
/// A [#ahead] one reads on while it keeps nothing: what does not come costs no system calls to stop and start reading.
/// For one channel.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class OneByOne extends ChannelDuplexHandler {
    private final Reading reading;
    private final Deque<Object> kept = new ArrayDeque<>();
    private boolean isWanted;
    private boolean isEmitting;
    private boolean isFree;

    private OneByOne(Reading reading) {
        this.reading = reading;
    }

    /// Reads when somebody asks for a message.
    public static OneByOne asked() {
        return new OneByOne(Reading.WHEN_ASKED);
    }

    /// Reads the next bytes before somebody asks, and no further while there is a message in them.
    public static OneByOne ahead() {
        return new OneByOne(Reading.AHEAD);
    }

    private enum Reading {
        WHEN_ASKED,
        AHEAD
    }

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
        boolean isAhead = reading == Reading.AHEAD && kept.isEmpty();
        if ((isWanted || isAhead) && !context.channel().config().isAutoRead()) {
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
