package dev.cagewright.egress.resolve;

import dev.cagewright.policy.action.HostName;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsServerAddressStream;
import io.netty.resolver.dns.DnsServerAddresses;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Questions to name servers, on a thread of its own.
final class NameQueries implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 1_500;
    private static final int ROUNDS = 2;
    private static final int MAX_QUERIES = 32;
    private static final int MAX_PAYLOAD = 1232;
    private static final int MAX_CACHED = 4_096;

    private final SilentServers silent = new SilentServers();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Supplier<List<InetSocketAddress>> servers;
    private final DnsNameResolver dns;

    NameQueries(Supplier<List<InetSocketAddress>> servers) {
        this.servers = servers;
        this.dns = new DnsNameResolverBuilder(loop.next())
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                // A port of its own for each look-up, which whoever forges answers has to guess.
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .nameServerProvider(_ -> rounds())
                .authoritativeDnsServerCache(new OwnServers(this::rounds))
                .dnsQueryLifecycleObserverFactory(silent)
                .queryTimeoutMillis(TIMEOUT_MILLIS)
                .maxQueriesPerResolve(MAX_QUERIES)
                .maxPayloadSize(MAX_PAYLOAD)
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                .hostsFileEntriesResolver((_, _) -> null)
                .searchDomains(List.of())
                .ndots(0)
                .decodeIdn(false)
                .resolveCache(new BoundedCaches.Addresses(MAX_CACHED))
                .cnameCache(new BoundedCaches.Aliases(MAX_CACHED))
                .build();
    }

    private DnsServerAddressStream rounds() {
        var once = silent.ordered(servers.get());
        var all = new ArrayList<InetSocketAddress>();
        for (int i = 0; i < ROUNDS; i++) {
            all.addAll(once);
        }
        return DnsServerAddresses.sequential(all).stream();
    }

    /// All addresses of both families; fails where there is none.
    Future<List<InetAddress>> ask(HostName name) {
        return dns.resolveAll(name.value());
    }

    /// Questions under way may stay without an answer.
    @Override
    public void close() {
        dns.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
