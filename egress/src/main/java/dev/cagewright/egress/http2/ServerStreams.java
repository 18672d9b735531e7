package dev.cagewright.egress.http2;

import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.http.OneByOne;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The streams of one client's connection. Each is a channel of its own that carries one request as message
/// objects and reads only when it is asked to; the window of a stream is what it may send ahead.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class ServerStreams extends ChannelInboundHandlerAdapter {
    static final int MAX_STREAMS = 100;
    static final int MAX_HEADER_BYTES = 64 * 1024;
    static final int WINDOW = 256 * 1024;

    private final Http2FrameCodec codec;
    private final Duration idle;
    private @Nullable Watchdog watchdog;

    private ServerStreams(Http2FrameCodec codec, Duration idle) {
        this.codec = codec;
        this.idle = idle;
    }

    /// Puts HTTP/2 at the end of `pipeline`.
    ///
    /// @param idle how long a connection without a stream is kept
    /// @param refused hears, half a sentence each, what was refused before there was a request
    /// @param conversations makes the last handler of each stream
    public static void install(
            ChannelPipeline pipeline, Duration idle, Consumer<String> refused, Supplier<ChannelHandler> conversations) {
        var settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(MAX_STREAMS)
                .maxHeaderListSize(MAX_HEADER_BYTES)
                .initialWindowSize(WINDOW);
        var codec = Http2FrameCodecBuilder.forServer().initialSettings(settings).build();
        var streams = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(
                                new StreamGuard(refused),
                                new Http2StreamFrameToHttpObjectCodec(/* isServer= */ true),
                                new OneByOne(),
                                conversations.get());
            }
        };
        pipeline.addLast(codec, new Http2MultiplexHandler(streams), new ServerStreams(codec, idle));
        pipeline.channel().config().setAutoRead(true);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        var dog = new Watchdog(context.channel().eventLoop(), () -> look(context));
        watchdog = dog;
        dog.expect(idle);
    }

    private void look(ChannelHandlerContext context) {
        if (codec.connection().numActiveStreams() == 0) {
            context.close();
        } else if (watchdog != null) {
            watchdog.expect(idle);
        }
    }

    /// Settings, pings and farewells of the connection are the codec's business.
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
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
