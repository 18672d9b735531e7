package dev.cagewright.bench.gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/// The origin: HTTPS on two ports of loopback, one thread, `/1k` and `/1m`. Prints its
/// ports, ends with its input.
final class OriginServer {
    private OriginServer() {}

    /// @param arguments files of the certificate and the key, in PEM
    static void main(String... arguments) throws IOException {
        var tls = SslContextBuilder.forServer(new File(arguments[0]), new File(arguments[1]))
                .sslProvider(SslProvider.OPENSSL)
                .protocols("TLSv1.3")
                .sessionTimeout(1)
                .build();
        var loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var server = new ServerBootstrap()
                .group(loops)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(tls.newHandler(channel.alloc()), new HttpServerCodec(), new Answers());
                    }
                });
        new PrintStream(System.out, true, StandardCharsets.US_ASCII).println(bind(server) + " " + bind(server));
        while (System.in.read() >= 0) {
            // until whoever started it is gone
        }
        System.exit(0);
    }

    private static int bind(ServerBootstrap server) {
        var bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly();
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    private static final class Answers extends SimpleChannelInboundHandler<HttpObject> {
        private static final ByteBuf SMALL = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[1 << 10]));
        private static final ByteBuf JSON = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(
                "[" + "{\"id\":1,\"text\":\"the quick brown fox, sk- and all\"},".repeat(320) + "0]",
                StandardCharsets.US_ASCII));
        private static final ByteBuf LARGE = Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[1 << 20]));

        @Override
        protected void channelRead0(ChannelHandlerContext here, HttpObject message) {
            if (message instanceof HttpRequest request) {
                var body = switch (request.uri()) {
                    case "/1m" -> LARGE;
                    case "/json" -> JSON;
                    default -> SMALL;
                };
                var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body.duplicate());
                answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
                answer.headers()
                        .set(
                                HttpHeaderNames.CONTENT_TYPE,
                                body == JSON ? "application/json" : "application/octet-stream");
                boolean keeps = HttpUtil.isKeepAlive(request);
                if (!keeps) {
                    answer.headers().set(HttpHeaderNames.CONNECTION, "close");
                }
                var written = here.writeAndFlush(answer);
                if (!keeps) {
                    written.addListener(ChannelFutureListener.CLOSE);
                }
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
            here.close();
        }
    }
}
