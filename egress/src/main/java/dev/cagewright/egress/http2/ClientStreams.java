package dev.cagewright.egress.http2;

import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.http.OneByOne;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One connection to an origin that speaks HTTP/2: a stream for each request, closed when it has had none for
/// a while. For its event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class ClientStreams extends ChannelInboundHandlerAdapter {
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Channel connection;
    private final Http2FrameCodec codec;
    private @Nullable Watchdog watchdog;
    private boolean isLeaving;

    private ClientStreams(Channel connection, Http2FrameCodec codec) {
        this.connection = connection;
        this.codec = codec;
    }

    /// Speaks HTTP/2 on `connection`.
    public static ClientStreams install(Channel connection) {
        var settings = Http2Settings.defaultSettings()
                .pushEnabled(false)
                .maxHeaderListSize(4L * ServerStreams.MAX_HEADER_BYTES)
                .initialWindowSize(ServerStreams.WINDOW);
        var codec = Http2FrameCodecBuilder.forClient().initialSettings(settings).build();
        var streams = new ClientStreams(connection, codec);
        var pushed = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.close();
            }
        };
        connection.pipeline().addLast(codec, new Http2MultiplexHandler(pushed), streams);
        connection.config().setAutoRead(true);
        return streams;
    }

    /// Can a request go over it now?
    public boolean takesMore() {
        return connection.isActive() && !isLeaving && codec.connection().local().canOpenStream();
    }

    /// A new stream. Its channel carries message objects and reads only when it is asked to.
    public Future<Http2StreamChannel> open() {
        return new Http2StreamChannelBootstrap(connection)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.config().setAutoRead(false);
                        stream.pipeline()
                                .addLast(new Http2StreamFrameToHttpObjectCodec(/* isServer= */ false), new OneByOne());
                    }
                })
                .open();
    }

    public void close() {
        connection.close();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        var dog = new Watchdog(context.channel().eventLoop(), this::look);
        watchdog = dog;
        dog.expect(IDLE);
    }

    private void look() {
        if (codec.connection().numActiveStreams() == 0) {
            connection.close();
        } else if (watchdog != null) {
            watchdog.expect(IDLE);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        isLeaving |= message instanceof Http2GoAwayFrame;
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
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
