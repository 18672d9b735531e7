package dev.cagewright.egress.dns;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// Answers the queries of accepted connections to port 53 (RFC 7766): each behind its length, one after the other, in
/// their order. A connection that is idle, or sends what no query is, is closed.
public final class TcpNames extends ChannelInitializer<Channel> {
    private static final int LENGTH_BYTES = 2;
    private static final int IDLE_SECONDS = 20;

    private final NameServer server;
    private final Executor answering;

    /// @param answering runs what may wait for the disk; not the event loop
    public TcpNames(NameServer server, Executor answering) {
        this.server = server;
        this.answering = answering;
    }

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline()
                .addLast(new ReadTimeoutHandler(IDLE_SECONDS))
                .addLast(new LengthFieldBasedFrameDecoder(
                        LENGTH_BYTES + Query.MAX_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                .addLast(new LengthFieldPrepender(LENGTH_BYTES))
                .addLast(new FlowControlHandler())
                .addLast(new Exchange());
    }

    /// Reads on when the last query has its answer.
    private final class Exchange extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
            var query = ByteBufUtil.getBytes(message);
            context.channel().config().setAutoRead(false);
            try {
                answering.execute(() -> {
                    var answer = server.answer(query, Transport.TCP);
                    context.executor().execute(() -> send(context, answer));
                });
            } catch (RejectedExecutionException _) {
                var _ = context.close();
            }
        }

        private void send(ChannelHandlerContext context, Optional<byte[]> answer) {
            if (answer.isEmpty()) {
                var _ = context.close();
                return;
            }
            var _ = context.writeAndFlush(context.alloc().buffer().writeBytes(answer.get()));
            context.channel().config().setAutoRead(true);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }
}
