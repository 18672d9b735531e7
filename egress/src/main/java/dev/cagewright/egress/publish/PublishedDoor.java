package dev.cagewright.egress.publish;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A port of 127.0.0.1 that stands for one port of a cage while it is open. Every connection becomes one inside, byte
/// for byte both ways, each side as fast as the other takes; beyond [#MOST_OPEN] at once they are closed at once.
/// Whoever opens it closes it: then nothing listens and nothing of it is connected. Safe for all threads.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class PublishedDoor implements AutoCloseable {
    /// Connections at once.
    public static final int MOST_OPEN = 256;

    private static final int DIALLERS = 4;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("published", /* daemon= */ true), EpollIoHandler.newFactory());

    /// Not virtual threads: a program inside that lets nobody in must not hold up those of others.
    private final ExecutorService dialling = Executors.newFixedThreadPool(
            DIALLERS, Thread.ofPlatform().daemon().name("published-dial-", 0).factory());

    private final ChannelGroup channels = new DefaultChannelGroup(loops.next(), /* stayClosed= */ true);
    private final Inside inside;
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();

    /// Where connections go.
    @FunctionalInterface
    public interface Inside {
        /// A socket that is connected to the cage's port, non-blocking; the caller's from then on. May block a while.
        ///
        /// @throws IOException if nobody takes connections there
        int connected() throws IOException;
    }

    /// What came of it so far.
    ///
    /// @param accepted connections to the host's port
    /// @param failed those of them that nobody inside took
    /// @param received bytes that went into the cage
    /// @param sent bytes that came out of it
    public record Count(long accepted, long failed, long received, long sent) {}

    private PublishedDoor(Inside inside) {
        this.inside = inside;
    }

    /// Opens one.
    ///
    /// @param port of the host, 0 for a free one
    /// @throws IOException if the port is taken
    public static PublishedDoor open(int port, Inside inside) throws IOException {
        var door = new PublishedDoor(inside);
        var bound = new ServerBootstrap()
                .group(door.loops)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, /* value= */ false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, /* value= */ true)
                .childOption(ChannelOption.TCP_NODELAY, /* value= */ true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        door.accept(channel);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            door.close();
            throw new IOException(
                    "port " + port + " of 127.0.0.1: " + bound.cause().getMessage(), bound.cause());
        }
        door.channels.add(bound.channel());
        door.listening = bound.channel();
        return door;
    }

    @SuppressWarnings("NullAway") // set before anybody has the door
    private Channel listening;

    /// The host's port.
    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    public Count count() {
        return new Count(accepted.get(), failed.get(), received.get(), sent.get());
    }

    private void accept(Channel outside) {
        accepted.incrementAndGet();
        channels.add(outside);
        if (channels.size() > MOST_OPEN * 2) { // each has its other half in it
            refuse(outside);
            return;
        }
        try {
            dialling.execute(() -> dial(outside));
        } catch (RejectedExecutionException _) {
            refuse(outside);
        }
    }

    private void refuse(Channel outside) {
        failed.incrementAndGet();
        outside.close();
    }

    private void dial(Channel outside) {
        try {
            int socket = inside.connected();
            outside.eventLoop().execute(() -> join(outside, new EpollSocketChannel(socket)));
        } catch (IOException | RuntimeException _) {
            refuse(outside);
        }
    }

    private void join(Channel outside, EpollSocketChannel within) {
        within.config().setAutoRead(false).setAllowHalfClosure(true).setTcpNoDelay(true);
        within.pipeline().addLast(new Half(outside, sent));
        outside.pipeline().addLast(new Half(within, received));
        channels.add(within);
        outside.eventLoop().register(within).addListener(done -> {
            if (!done.isSuccess()) {
                within.unsafe().closeForcibly();
                refuse(outside);
            } else {
                within.closeFuture().addListener(_ -> outside.close());
                outside.closeFuture().addListener(_ -> within.close());
                within.read();
                outside.read();
            }
        });
    }

    @Override
    public void close() {
        channels.close().awaitUninterruptibly();
        dialling.shutdown();
        boolean isOver = isOver();
        channels.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, isOver ? 2 : 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /// A dial that is under way ends by itself.
    private boolean isOver() {
        try {
            return dialling.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
