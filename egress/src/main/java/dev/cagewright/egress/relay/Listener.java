package dev.cagewright.egress.relay;

import dev.cagewright.egress.CageNetwork;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.crowd.Crowd;
import dev.cagewright.egress.crowd.Descriptors;
import dev.cagewright.egress.crowd.Said;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.dns.TcpNames;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.egress.question.Withholding;
import dev.cagewright.egress.tls.TlsClients;
import dev.cagewright.egress.tls.TlsEngine;
import dev.cagewright.egress.tls.TlsServers;
import dev.cagewright.egress.underway.Outstanding;
import dev.cagewright.egress.underway.Scribe;
import dev.cagewright.egress.underway.Underway;
import dev.cagewright.egress.upstream.Dialer;
import dev.cagewright.egress.upstream.HttpPool;
import dev.cagewright.egress.upstream.Lookup;
import dev.cagewright.egress.visit.Visitors;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Accepts the connections of one cage from the socket that its net cell made, and closes every one of them
/// with it: an accepted socket keeps the cage's network alive. Safe for all threads.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class Listener implements AutoCloseable {
    /// Where the cell's own listener stands: what comes here may speak as to a proxy.
    static final int PROXY_PORT = 3128;

    private static final int NAMES_PORT = 53;

    /// More connections of one cage at once than this are reset: each may need two descriptors, and what is left is
    /// for other cages and for the log. An idle one takes 10 KiB.
    private static final int MOST_OPEN = Math.clamp(Descriptors.limit() / 4, 16, 8192);

    private final CageNetwork cage;
    private final EventLoopGroup loops;
    private final ChannelGroup channels;
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final Crowd crowd = new Crowd(MOST_OPEN);
    private final Scribe scribe = new Scribe();
    private final Underway underway = new Underway();
    private final Outstanding hearings = new Outstanding();
    private final Desk desk;

    private Listener(CageNetwork cage, EventLoopGroup loops, Shared shared) {
        this.cage = cage;
        this.loops = loops;
        this.channels = new DefaultChannelGroup(loops.next(), /* stayClosed= */ true);
        var dialer = new Dialer(shared.clients(), waiting, shared.deadlines().dial());
        var upstreams = new Desk.Upstreams(shared.lookup(), dialer, new HttpPool(dialer));
        this.desk = new Desk(
                waiting,
                upstreams,
                new TlsServers(shared.engine()),
                shared.deadlines(),
                new Desk.Records(crowd, scribe, underway, hearings, new Withholding(), new Visitors()));
    }

    /// Serves the listening socket `tcp`, which is this object's from now on.
    ///
    /// @param loops whose threads serve the connections
    public static Listener open(int tcp, CageNetwork cage, EventLoopGroup loops, Shared shared) {
        var listener = new Listener(cage, loops, shared);
        var bound = new ServerBootstrap()
                .group(loops)
                .channelFactory(() -> new EpollServerSocketChannel(tcp))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(listener.accepting(channel -> listener.accepted((SocketChannel) channel)))
                .register();
        bound.syncUninterruptibly();
        listener.channels.add(bound.channel());
        return listener;
    }

    /// Serves a unix socket of the host's own, every connection as one of the cage's to what the door is to.
    ///
    /// @param loops whose threads serve the connections
    public static Listener open(LocalDoor door, CageNetwork cage, EventLoopGroup loops, Shared shared) {
        var listener = new Listener(cage, loops, shared);
        var dialled = IpAddress.parse(door.host().value())
                .<Dialled>map(Dialled.Address::new)
                .orElseGet(() -> new Dialled.Name(door.host(), Dialled.How.BY_CONNECT));
        var arrival = new Arrival(cage, dialled, door.port(), listener.desk);
        var bound = new ServerBootstrap()
                .group(loops)
                .channel(EpollServerDomainSocketChannel.class)
                .childHandler(listener.accepting(channel -> listener.begin(channel, arrival)))
                .bind(new DomainSocketAddress(door.socket().toString()));
        bound.syncUninterruptibly();
        listener.channels.add(bound.channel());
        return listener;
    }

    /// What all cages of a gateway share.
    public record Shared(Lookup lookup, TlsClients clients, TlsEngine engine, Deadlines deadlines) {}

    private ChannelInitializer<Channel> accepting(Consumer<Channel> then) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channels.add(channel);
                if (crowd.enter(channel)) {
                    then.accept(channel);
                }
            }
        };
    }

    private void accepted(SocketChannel channel) {
        var local = channel.localAddress();
        var dialled = Dialled.of(IpAddress.of(local.getAddress()), cage.addresses());
        var arrival = new Arrival(cage, dialled, local.getPort(), desk);
        if (local.getPort() == NAMES_PORT) {
            channel.pipeline().addLast(new TcpNames(cage.names(), waiting));
        } else {
            begin(channel, arrival);
        }
    }

    private void begin(Channel channel, Arrival arrival) {
        channel.pipeline().addLast(new Said(crowd), new FirstBytes(arrival));
    }

    /// Judges everything anew that is under way, and ends what is no longer allowed: after the policy has changed.
    public void revise() {
        underway.revise(cage.gate());
    }

    /// How many ends could not be written down.
    public long unrecorded() {
        return scribe.unrecorded();
    }

    /// Closes everything; when it returns, no socket of the cage's network is open here, and every end is
    /// written down.
    @Override
    public void close() {
        channels.close().awaitUninterruptibly();
        desk.pool().close();
        settle();
        hearings.awaitNone();
        settle();
        waiting.close();
        settle();
        scribe.close();
    }

    /// Lets the threads of the connections come to the end of what they have to do; what a close sets off is
    /// two turns behind it.
    private void settle() {
        for (int turn = 0; turn < 2; turn++) {
            for (var loop : loops) {
                loop.submit(() -> {}).awaitUninterruptibly();
            }
        }
    }
}
