package dev.cagewright.egress.resolve;

import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.DnsQueryLifecycleObserver;
import io.netty.resolver.dns.DnsQueryLifecycleObserverFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Remembers for a minute which name servers were silent, so that only the first look-up waits for one of them.
final class SilentServers implements DnsQueryLifecycleObserverFactory {
    private static final long REMEMBERED_NANOS = 60_000_000_000L;

    private final Map<InetSocketAddress, Long> since = new ConcurrentHashMap<>();

    /// The servers in the order in which to ask them: those that were silent last.
    List<InetSocketAddress> ordered(List<InetSocketAddress> servers) {
        long now = System.nanoTime();
        since.values().removeIf(then -> now - then > REMEMBERED_NANOS);
        Predicate<InetSocketAddress> isSilent = since::containsKey;
        return Stream.concat(
                        servers.stream().filter(isSilent.negate()),
                        servers.stream().filter(isSilent))
                .toList();
    }

    @Override
    public DnsQueryLifecycleObserver newDnsQueryLifecycleObserver(DnsQuestion question) {
        return new Watch();
    }

    /// Follows one question from server to server.
    private final class Watch implements DnsQueryLifecycleObserver {
        private @Nullable InetSocketAddress asked;

        @Override
        public void queryWritten(InetSocketAddress server, ChannelFuture written) {
            asked = server;
        }

        @Override
        public void queryCancelled(int queriesLeft) {
            // says nothing about the server
        }

        @Override
        public DnsQueryLifecycleObserver queryRedirected(List<InetSocketAddress> servers) {
            return this;
        }

        @Override
        public DnsQueryLifecycleObserver queryCNAMEd(DnsQuestion question) {
            return this;
        }

        @Override
        public DnsQueryLifecycleObserver queryNoAnswer(DnsResponseCode code) {
            return this;
        }

        @Override
        public void queryFailed(Throwable cause) {
            boolean isSilence = cause instanceof DnsNameResolverTimeoutException || cause instanceof IOException;
            if (asked != null && isSilence) {
                since.put(asked, System.nanoTime());
            }
        }

        @Override
        public void querySucceed() {
            if (asked != null) {
                since.remove(asked);
            }
        }
    }
}
