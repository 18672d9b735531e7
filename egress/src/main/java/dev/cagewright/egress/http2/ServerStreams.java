package dev.cagewright.egress.http2;

import dev.cagewright.egress.http.OneByOne;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The streams of one client's connection. Each is a channel of its own that carries one request as message
/// objects and reads only when it is asked to; the window of a stream is what it may send ahead.
public final class ServerStreams {
    static final int MAX_STREAMS = 100;
    static final int MAX_HEADER_BYTES = 64 * 1024;

    /// What a client in the cage, which is near, may send ahead on one stream, in bytes.
    private static final int STREAM_WINDOW = 64 * 1024;

    /// On all of them: a stream that nobody reads holds up none of the others.
    private static final int CONNECTION_WINDOW = MAX_STREAMS * STREAM_WINDOW;

    private ServerStreams() {}

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
                .initialWindowSize(STREAM_WINDOW);
        var codec = Http2FrameCodecBuilder.forServer().initialSettings(settings).build();
        var streams = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(
                                new StreamGuard(refused),
                                new Http2StreamFrameToHttpObjectCodec(/* isServer= */ true),
                                OneByOne.asked(),
                                conversations.get());
            }
        };
        pipeline.addLast(codec, new Http2MultiplexHandler(streams), new IdleClose(codec, idle));
        widen(pipeline.channel(), CONNECTION_WINDOW);
        pipeline.channel().config().setAutoRead(true);
    }

    /// Lets the other end of `connection` send `window` bytes ahead, on all streams together, instead of the 65,535 of
    /// RFC 9113 section 6.9.2.
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
    static void widen(Channel connection, int window) {
        connection.writeAndFlush(new DefaultHttp2WindowUpdateFrame(window - Http2CodecUtil.DEFAULT_WINDOW_SIZE));
    }
}
