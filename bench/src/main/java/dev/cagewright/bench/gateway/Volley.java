package dev.cagewright.bench.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One [Order] while it is carried out. Everything but [#fire] is for the one event loop.
final class Volley {
    /// The variable with a decoy that each request shows.
    static final String KEY = "BENCH_KEY";

    private static final long PATIENCE_SECONDS = 20;

    private final EventLoopGroup loops;
    private final Order order;
    private final SslContext tls;
    private final InetSocketAddress target;
    private final CountDownLatch running;
    private final ByteBuf request;
    private long[] times = new long[1 << 12];
    private int answers;
    private long bytes;
    private long errors;
    private long deadline;

    Volley(EventLoopGroup loops, Order order) throws IOException {
        this.loops = loops;
        this.order = order;
        this.tls = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL)
                .protocols("TLSv1.3")
                .sessionCacheSize(1)
                .trustManager(
                        new File(order.roots().equals(Order.TRUSTED) ? System.getenv("SSL_CERT_FILE") : order.roots()))
                .build();
        this.target = order.proxy() > 0
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), order.proxy())
                : new InetSocketAddress(InetAddress.getByName(order.target()), order.port());
        this.running = new CountDownLatch(order.connections());
        var connection = order.style() == Order.Style.CLOSES ? "Connection: close\r\n" : "";
        this.request = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(
                "GET " + order.path() + " HTTP/1.1\r\nHost: " + authority() + "\r\n" + key() + connection + "\r\n",
                StandardCharsets.US_ASCII));
    }

    /// Of a cage that was lent one.
    private static String key() {
        var decoy = System.getenv(KEY);
        return decoy == null ? "" : "Authorization: Bearer " + decoy + "\r\n";
    }

    private String authority() {
        return order.name() + ":" + order.port();
    }

    Yield fire() throws InterruptedException, IOException {
        long cpu = processorTime();
        long begin = System.nanoTime();
        deadline = begin + order.time().toNanos();
        for (int i = 0; i < order.connections(); i++) {
            loops.execute(this::connect);
        }
        if (!running.await(order.time().toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("connections hang: " + running.getCount());
        }
        long nanos = System.nanoTime() - begin;
        return Yield.of(Arrays.copyOf(times, answers), bytes, errors, nanos, processorTime() - cpu);
    }

    private static long processorTime() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    private boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /// Another connection, or the end of this one's line.
    void connect() {
        if (isOver() || errors > 1_000) {
            running.countDown();
            return;
        }
        long begin = System.nanoTime();
        new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (order.proxy() > 0) {
                            channel.pipeline().addLast(new Connecting(begin));
                        } else {
                            open(channel, begin);
                        }
                    }
                })
                .connect(target)
                .addListener((ChannelFutureListener) done -> {
                    if (!done.isSuccess()) {
                        failed(done.channel(), done.cause());
                    }
                });
    }

    private void open(Channel channel, long begin) {
        var handler = tls.newHandler(channel.alloc(), order.name(), order.port());
        channel.pipeline().addLast(handler, new HttpClientCodec(), new Caller(this, begin));
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                ask(channel);
            } else {
                failed(channel, done.cause());
            }
        });
    }

    void ask(Channel channel) {
        channel.pipeline().context(HttpClientCodec.class).writeAndFlush(request.duplicate());
    }

    /// An answer is whole.
    ///
    /// @return whether the connection goes on
    boolean answered(long begin, long body) {
        if (isOver()) {
            return false;
        }
        if (answers == times.length) {
            times = Arrays.copyOf(times, 2 * answers);
        }
        times[answers++] = System.nanoTime() - begin;
        bytes += body;
        return order.style() == Order.Style.KEEPS;
    }

    /// @param why for people; the first is told
    void failed(Channel channel, Object why) {
        if (errors++ == 0) {
            System.err.println(order.line() + ": " + why);
        }
        channel.close();
        connect();
    }

    /// Asks a proxy for the way.
    private final class Connecting extends SimpleChannelInboundHandler<ByteBuf> {
        private final long begin;
        private final StringBuilder head = new StringBuilder();

        Connecting(long begin) {
            this.begin = begin;
        }

        @Override
        public void channelActive(ChannelHandlerContext here) {
            here.writeAndFlush(Unpooled.copiedBuffer(
                    "CONNECT " + authority() + " HTTP/1.1\r\nHost: " + authority() + "\r\n\r\n",
                    StandardCharsets.US_ASCII));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext here, ByteBuf data) {
            head.append(data.toString(StandardCharsets.ISO_8859_1));
            if (head.indexOf("\r\n\r\n") >= 0) {
                if (head.indexOf(" 200 ") > 0) {
                    here.pipeline().remove(this);
                    open(here.channel(), begin);
                } else {
                    failed(here.channel(), head);
                }
            }
        }
    }
}
