package dev.cagewright.egress.upstream;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.tls.TlsClients;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/// Connects to origins: the first of their addresses that takes a connection, with TLS verified where the
/// origin is to speak it. Where a proxy stands between, TLS is with the origin all the same. Safe for all threads.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class Dialer {
    private final TlsClients clients;
    private final ExecutorService waiting;
    private final Duration patience;

    /// @param waiting threads that may wait for a file of roots
    /// @param patience for a connection to one address, and again for the handshake
    public Dialer(TlsClients clients, ExecutorService waiting, Duration patience) {
        this.patience = patience;
        this.clients = clients;
        this.waiting = waiting;
    }

    /// A connection that stands.
    ///
    /// @param channel reads only when it is asked to
    /// @param address where it leads, for the record
    /// @param protocol what ALPN settled, e.g. `h2`; empty without
    /// @param tls how long the handshake took; empty in the clear
    public record Connected(Channel channel, String address, Optional<String> protocol, Optional<Duration> tls) {}

    /// Connects on `loop`.
    ///
    /// @return fails with an [UnreachedException]
    public Future<Connected> connect(Origin origin, EventLoop loop) {
        Promise<Connected> promise = loop.newPromise();
        attempt(origin, 0, loop, promise);
        return promise;
    }

    private void attempt(Origin origin, int index, EventLoop loop, Promise<Connected> promise) {
        var address = origin.way().addresses().get(index);
        new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.toMillis())
                .handler(new ChannelInboundHandlerAdapter())
                .connect(new InetSocketAddress(address.toInetAddress(), origin.dialledPort()))
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        connected(origin, address, connected.channel(), promise);
                    } else if (index + 1 < origin.way().addresses().size()) {
                        attempt(origin, index + 1, loop, promise);
                    } else {
                        promise.tryFailure(new UnreachedException(
                                origin.dialled() + " at " + address + ": " + Causes.words(connected.cause())));
                    }
                });
    }

    private void connected(Origin origin, IpAddress address, Channel channel, Promise<Connected> promise) {
        if (origin.way().proxy().isEmpty()) {
            secure(origin, address, channel, promise);
            return;
        }
        ProxyTunnel.open(channel, origin.named()).addListener((Future<Channel> opened) -> {
            if (opened.isSuccess()) {
                secure(origin, address, channel, promise);
            } else {
                fail(channel, promise, origin.dialled() + " " + Causes.words(opened.cause()));
            }
        });
    }

    private void secure(Origin origin, IpAddress address, Channel channel, Promise<Connected> promise) {
        if (!(origin.security() instanceof Origin.Security.Tls tls)) {
            settle(promise, new Connected(channel, origin.way().text(address), Optional.empty(), Optional.empty()));
            return;
        }
        try {
            waiting.execute(() -> {
                try {
                    var context = clients.of(tls.roots(), tls.offer());
                    var handler = context.newHandler(
                            channel.alloc(),
                            origin.named().host().value(),
                            origin.named().port());
                    handler.setHandshakeTimeoutMillis(patience.toMillis());
                    channel.eventLoop().execute(() -> handshake(origin, address, channel, handler, promise));
                } catch (IOException e) {
                    fail(
                            channel,
                            promise,
                            "the certificates to verify " + origin.named() + " with cannot be read: " + e.getMessage());
                }
            });
        } catch (RejectedExecutionException _) {
            fail(channel, promise, "the cage is being closed");
        }
    }

    private static void fail(Channel channel, Promise<Connected> promise, String why) {
        channel.close();
        promise.tryFailure(new UnreachedException(why));
    }

    private static void handshake(
            Origin origin, IpAddress address, Channel channel, SslHandler handler, Promise<Connected> promise) {
        var deaf = new Deaf();
        long begun = System.nanoTime();
        channel.pipeline().addLast(handler, deaf);
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                channel.pipeline().remove(deaf);
                var tls = Duration.ofNanos(System.nanoTime() - begun);
                settle(
                        promise,
                        new Connected(
                                channel,
                                origin.way().text(address),
                                Optional.ofNullable(handler.applicationProtocol()),
                                Optional.of(tls)));
            } else {
                fail(
                        channel,
                        promise,
                        "TLS with " + origin.named() + " at " + address + ": " + Causes.words(done.cause()));
            }
        });
    }

    /// During a handshake its promise tells what goes wrong.
    private static final class Deaf extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static void settle(Promise<Connected> promise, Connected connected) {
        if (!promise.trySuccess(connected)) {
            connected.channel().close();
        }
    }
}
