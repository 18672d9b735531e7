package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.refusal.Abort;
import dev.cagewright.egress.upstream.Causes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/// Two connections as one: bytes of each go to the other, never more than the other takes; an end on one side
/// is one on the other. Both are on one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Splice extends ChannelInboundHandlerAdapter {
    private final Channel other;
    private final Tally tally;
    private final Side side;
    private final Watchdog watchdog;
    private boolean ended;

    /// Where what this handler reads comes from.
    enum Side {
        CAGE(Budgets.Way.SENT),
        ORIGIN(Budgets.Way.RECEIVED);

        private final Budgets.Way way;

        Side(Budgets.Way way) {
            this.way = way;
        }
    }

    private Splice(Channel other, Tally tally, Side side, Watchdog watchdog) {
        this.other = other;
        this.tally = tally;
        this.side = side;
        this.watchdog = watchdog;
    }

    /// Joins two channels whose pipelines carry bytes. Both are closed when it is over.
    static void join(Channel cage, Channel origin, Tally tally, Deadlines deadlines) {
        var watchdog = new Watchdog(cage.eventLoop(), () -> {
            tally.end(new Traffic.End.Truncated("nothing was said for too long"));
            cage.close();
        });
        watchdog.expect(deadlines.idle());
        cage.config().setAutoRead(false);
        for (var channel : new Channel[] {cage, origin}) {
            channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, channel instanceof DuplexChannel);
        }
        cage.pipeline().addLast(new Splice(origin, tally, Side.CAGE, watchdog));
        origin.pipeline().addLast(new Splice(cage, tally, Side.ORIGIN, watchdog));
        cage.closeFuture().addListener(_ -> {
            watchdog.cancel();
            origin.close();
        });
        origin.closeFuture().addListener(_ -> {
            tally.end(new Traffic.End.Complete());
            cage.close();
        });
        tally.onRevoked(why -> cage.eventLoop().execute(() -> {
            tally.end(Traffic.End.revoked(why));
            Abort.reset(cage);
            Abort.reset(origin);
        }));
        cage.read();
        origin.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
            return;
        }
        watchdog.progress();
        var exhausted = tally.body(side.way, bytes.readableBytes());
        if (exhausted.isPresent()) {
            bytes.release();
            tally.end(new Traffic.End.Exhausted(exhausted.get().detail()));
            Abort.reset(context.channel());
            Abort.reset(other);
            return;
        }
        other.writeAndFlush(bytes).addListener(written -> {
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
            endOther(context);
        }
        super.userEventTriggered(context, event);
    }

    /// TLS has no half end that programs use, so there it is the end.
    private void endOther(ChannelHandlerContext context) {
        boolean isPlain = other.pipeline().get(SslHandler.class) == null;
        var flushed = other.writeAndFlush(Unpooled.EMPTY_BUFFER);
        if (isPlain && other instanceof DuplexChannel duplex) {
            flushed.addListener(_ -> duplex.shutdownOutput());
            if (duplex.isInputShutdown()) {
                flushed.addListener(_ -> context.close());
            }
        } else {
            flushed.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        tally.end(new Traffic.End.Truncated(Causes.words(cause)));
        Abort.reset(context.channel());
        Abort.reset(other);
    }
}
