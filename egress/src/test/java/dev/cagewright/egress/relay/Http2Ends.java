package dev.cagewright.egress.relay;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.HostName;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/// Both ends of HTTP/2 over TLS, frame by frame: an origin, and a client in the cage's place. Closes what it opened.
final class Http2Ends implements AutoCloseable {
    private static final ApplicationProtocolConfig HTTP_2 = new ApplicationProtocolConfig(
            Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, "h2");

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final List<Channel> opened = new ArrayList<>();

    /// An origin of `a.test` on loopback, whose certificate `outside` signs.
    ///
    /// @param stream makes what serves one stream
    /// @param connected hears of each connection
    Channel origin(CageAuthority outside, Supplier<ChannelHandler> stream, Runnable connected) throws SSLException {
        var leaf = outside.leafFor(new HostName("a.test"));
        var tls = SslContextBuilder.forServer(leaf.key(), leaf.chain().toArray(X509Certificate[]::new))
                .applicationProtocolConfig(HTTP_2)
                .build();
        var streams = new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(stream.get());
            }
        };
        return kept(new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connected.run();
                        channel.pipeline()
                                .addLast(
                                        tls.newHandler(channel.alloc()),
                                        Http2FrameCodecBuilder.forServer().build(),
                                        new Http2MultiplexHandler(streams));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel());
    }

    /// A client of the gateway of `bench`.
    ///
    /// @param name whom it asks TLS for
    /// @param codec how it speaks
    Channel client(Bench bench, String address, String name, Http2FrameCodecBuilder codec) throws SSLException {
        var tls = SslContextBuilder.forClient()
                .trustManager(bench.authority.certificate())
                .applicationProtocolConfig(HTTP_2)
                .build();
        return kept(new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        tls.newHandler(channel.alloc(), name, bench.port),
                                        codec.build(),
                                        new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                    }
                })
                .connect(IpAddress.parse(address).orElseThrow().toInetAddress(), bench.port)
                .syncUninterruptibly()
                .channel());
    }

    private Channel kept(Channel channel) {
        opened.add(channel);
        return channel;
    }

    @Override
    public void close() {
        opened.reversed().forEach(channel -> channel.close().syncUninterruptibly());
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
