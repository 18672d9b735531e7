package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsServerAddressStream;
import io.netty.resolver.dns.DnsServerAddresses;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Asks what this machine asks: its hosts file, then the name servers of its resolv.conf, both read again when they
/// change. A server that is silent for a second and a half, or that cannot answer, is passed over for the next, twice
/// around; an answer that was cut is asked for again by TCP; answers are kept for as long as they say, at most five
/// minutes. Names are whole: no search list. Safe for all threads; has one of its own.
public final class HostResolver implements Resolver, AutoCloseable {
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");
    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final String NO_ADDRESS = "the name servers know no address";
    private static final int QUERY_TIMEOUT_MILLIS = 1_500;
    private static final int ROUNDS = 2;
    private static final int MAX_QUERIES = 32;
    private static final int MAX_PAYLOAD = 1232;
    private static final int MAX_CACHED = 4_096;

    /// A name that is being looked up.
    private static final class LookUp {
        final HostName name;
        final CompletableFuture<List<IpAddress>> answer = new CompletableFuture<>();

        LookUp(HostName name) {
            this.name = name;
        }

        void fail(String why, Throwable cause) {
            answer.completeExceptionally(new UnresolvedException(name, why, cause));
        }
    }

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final WatchedFile<Map<HostName, List<IpAddress>>> hosts;
    private final DnsNameResolver dns;
    private final Set<LookUp> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    private HostResolver(Path hosts, Supplier<List<InetSocketAddress>> servers) {
        this.hosts = new WatchedFile<>(hosts, HostFiles::hosts);
        this.dns = new DnsNameResolverBuilder(loop.next())
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                // A port of its own for each look-up, which whoever forges answers has to guess.
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .nameServerProvider(_ -> rounds(servers.get()))
                .queryTimeoutMillis(QUERY_TIMEOUT_MILLIS)
                .maxQueriesPerResolve(MAX_QUERIES)
                .maxPayloadSize(MAX_PAYLOAD)
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                .hostsFileEntriesResolver((_, _) -> null)
                .searchDomains(List.of())
                .ndots(0)
                .decodeIdn(false)
                .resolveCache(new BoundedCaches.Addresses(MAX_CACHED))
                .cnameCache(new BoundedCaches.Aliases(MAX_CACHED))
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .build();
    }

    /// With this machine's own settings.
    public static HostResolver ofThisMachine() {
        return of(RESOLV_CONF, HOSTS);
    }

    /// With other files of the same forms.
    public static HostResolver of(Path resolvConf, Path hosts) {
        var servers = new WatchedFile<>(resolvConf, HostFiles::nameServers);
        return new HostResolver(hosts, servers::get);
    }

    /// Asks these servers, at least one.
    static HostResolver asking(List<InetSocketAddress> servers, Path hosts) {
        return new HostResolver(hosts, () -> servers);
    }

    private static DnsServerAddressStream rounds(List<InetSocketAddress> servers) {
        var all = new ArrayList<InetSocketAddress>();
        for (int i = 0; i < ROUNDS; i++) {
            all.addAll(servers);
        }
        return DnsServerAddresses.sequential(all).stream();
    }

    @Override
    public CompletionStage<List<IpAddress>> resolve(HostName name) {
        var known = hosts.get().get(name);
        if (known != null) {
            return CompletableFuture.completedStage(List.copyOf(known));
        }
        var lookUp = new LookUp(name);
        underWay.add(lookUp);
        if (isClosed) {
            abandon(lookUp);
            return lookUp.answer;
        }
        dns.resolveAll(name.value()).addListener((Future<List<InetAddress>> found) -> {
            underWay.remove(lookUp);
            if (found.isSuccess()) {
                lookUp.answer.complete(
                        found.getNow().stream().map(IpAddress::of).toList());
            } else {
                lookUp.fail(why(found.cause()), found.cause());
            }
        });
        return lookUp.answer;
    }

    /// Netty gives no cause where there is no such record, and one with the code where there is no such name.
    private static String why(Throwable failure) {
        return switch (failure.getCause()) {
            case null -> NO_ADDRESS;
            case DnsErrorCauseException told when told.getCode().equals(DnsResponseCode.NXDOMAIN) -> NO_ADDRESS;
            case DnsErrorCauseException told -> "the name servers cannot answer (" + told.getCode() + ")";
            case Throwable _ -> "no name server answered";
        };
    }

    private void abandon(LookUp lookUp) {
        underWay.remove(lookUp);
        lookUp.fail("the session ends", new IllegalStateException("closed"));
    }

    /// Ends look-ups that are under way.
    @Override
    public void close() {
        isClosed = true;
        dns.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        underWay.forEach(this::abandon);
    }
}
