package dev.cagewright.egress.http2;

import dev.cagewright.egress.http.OneByOne;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
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
    static final int WINDOW = 256 * 1024;

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
        pipeline.addLast(codec, new Http2MultiplexHandler(streams), new IdleClose(codec, idle));
        pipeline.channel().config().setAutoRead(true);
    }
}
