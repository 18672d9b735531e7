package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks what this machine asks: its hosts file, then the name servers of its resolv.conf, both read again when they
/// change. A server that is silent for a second and a half is passed over for the next and asked last for a minute; one
/// that cannot answer is passed over, too; all are asked twice. An answer that was cut is asked for again by TCP.
/// Answers
/// are kept for as long as they say, at most five minutes. Names are whole: no search list.
///
/// Safe for all threads; has one of its own from the first question to a name server on.
public final class HostResolver implements Resolver, AutoCloseable {
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");
    private static final Path HOSTS = Path.of("/etc/hosts");
    private static final String NO_ADDRESS = "the name servers know no address";

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

    private final WatchedFile<Map<HostName, List<IpAddress>>> hosts;
    private final Supplier<List<InetSocketAddress>> servers;
    private final Set<LookUp> underWay = ConcurrentHashMap.newKeySet();
    private @Nullable NameQueries queries;
    private volatile boolean isClosed;

    private HostResolver(Path hosts, Supplier<List<InetSocketAddress>> servers) {
        this.hosts = new WatchedFile<>(hosts, HostFiles::hosts);
        this.servers = servers;
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

    @Override
    public CompletionStage<List<IpAddress>> resolve(HostName name) {
        var known = hosts.get().get(name);
        if (known != null) {
            return CompletableFuture.completedStage(List.copyOf(known));
        }
        var lookUp = new LookUp(name);
        underWay.add(lookUp);
        var asking = queriesOrNull();
        if (asking == null) {
            abandon(lookUp);
        } else {
            asking.ask(name).addListener((Future<List<InetAddress>> found) -> settle(lookUp, found));
        }
        if (isClosed) {
            abandon(lookUp);
        }
        return lookUp.answer;
    }

    private synchronized @Nullable NameQueries queriesOrNull() {
        if (queries == null && !isClosed) {
            queries = new NameQueries(servers);
        }
        return isClosed ? null : queries;
    }

    private void settle(LookUp lookUp, Future<List<InetAddress>> found) {
        underWay.remove(lookUp);
        if (found.isSuccess()) {
            lookUp.answer.complete(found.getNow().stream().map(IpAddress::of).toList());
        } else {
            lookUp.fail(why(found.cause()), found.cause());
        }
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
        NameQueries last;
        synchronized (this) {
            isClosed = true;
            last = queries;
        }
        if (last != null) {
            last.close();
        }
        underWay.forEach(this::abandon);
    }
}
