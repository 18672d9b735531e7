package dev.cagewright.egress.http2;

import dev.cagewright.egress.http.OneByOne;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.Future;
import java.time.Duration;

/// One connection to an origin that speaks HTTP/2: a stream for each request, closed when it has had none for
/// a while. For its event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class ClientStreams {
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final int MOST_STREAMS = 100;

    /// What an origin far away may send ahead on one stream, in bytes.
    private static final int STREAM_WINDOW = 256 * 1024;

    /// On all of them: that many streams which nobody reads do not hold up the others.
    private static final int CONNECTION_WINDOW = 32 * STREAM_WINDOW;

    private final Channel connection;
    private final Http2FrameCodec codec;

    private ClientStreams(Channel connection, Http2FrameCodec codec) {
        this.connection = connection;
        this.codec = codec;
    }

    /// Speaks HTTP/2 on `connection`.
    public static ClientStreams install(Channel connection) {
        var settings = Http2Settings.defaultSettings()
                .pushEnabled(false)
                .maxHeaderListSize(4L * ServerStreams.MAX_HEADER_BYTES)
                .initialWindowSize(STREAM_WINDOW);
        var codec = Http2FrameCodecBuilder.forClient().initialSettings(settings).build();
        var pushed = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.close();
            }
        };
        connection.pipeline().addLast(codec, new Http2MultiplexHandler(pushed), new IdleClose(codec, IDLE));
        ServerStreams.widen(connection, CONNECTION_WINDOW);
        connection.config().setAutoRead(true);
        return new ClientStreams(connection, codec);
    }

    /// Can a request go over it now?
    public boolean takesMore() {
        return connection.isActive()
                && !codec.connection().goAwayReceived()
                && codec.connection().numActiveStreams() < MOST_STREAMS
                && codec.connection().local().canOpenStream();
    }

    /// A new stream. Its channel carries message objects and reads only when it is asked to.
    public Future<Http2StreamChannel> open() {
        return new Http2StreamChannelBootstrap(connection)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.config().setAutoRead(false);
                        stream.pipeline()
                                .addLast(
                                        new Http2StreamFrameToHttpObjectCodec(/* isServer= */ false),
                                        new EndByLength(),
                                        OneByOne.asked());
                    }
                })
                .open();
    }

    public void close() {
        connection.close();
    }
}
