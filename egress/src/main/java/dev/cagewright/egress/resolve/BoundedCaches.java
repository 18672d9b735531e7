package dev.cagewright.egress.resolve;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DefaultDnsCache;
import io.netty.resolver.dns.DefaultDnsCnameCache;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsCnameCache;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Caches that hold an answer for as long as it says, at most five minutes, and are emptied when they are full: a cage
/// may make up names below a wildcard.
final class BoundedCaches {
    private static final int MAX_TTL_SECONDS = 300;
    private static final int NEGATIVE_TTL_SECONDS = 5;

    private BoundedCaches() {}

    static final class Addresses implements DnsCache {
        private final DefaultDnsCache cache = new DefaultDnsCache(0, MAX_TTL_SECONDS, NEGATIVE_TTL_SECONDS);
        private final AtomicInteger added = new AtomicInteger();
        private final int most;

        Addresses(int most) {
            this.most = most;
        }

        private void makeRoom() {
            if (added.incrementAndGet() > most) {
                clear();
            }
        }

        @Override
        public void clear() {
            added.set(0);
            cache.clear();
        }

        @Override
        public boolean clear(String name) {
            return cache.clear(name);
        }

        @Override
        public @Nullable List<? extends DnsCacheEntry> get(String name, DnsRecord[] additionals) {
            return cache.get(name, additionals);
        }

        @Override
        public DnsCacheEntry cache(
                String name, DnsRecord[] additionals, InetAddress address, long ttl, EventLoop loop) {
            makeRoom();
            return cache.cache(name, additionals, address, ttl, loop);
        }

        @Override
        public DnsCacheEntry cache(String name, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
            makeRoom();
            return cache.cache(name, additionals, cause, loop);
        }
    }

    static final class Aliases implements DnsCnameCache {
        private final DefaultDnsCnameCache cache = new DefaultDnsCnameCache(0, MAX_TTL_SECONDS);
        private final AtomicInteger added = new AtomicInteger();
        private final int most;

        Aliases(int most) {
            this.most = most;
        }

        @Override
        public @Nullable String get(String name) {
            return cache.get(name);
        }

        @Override
        public void cache(String name, String alias, long ttl, EventLoop loop) {
            if (added.incrementAndGet() > most) {
                clear();
            }
            cache.cache(name, alias, ttl, loop);
        }

        @Override
        public void clear() {
            added.set(0);
            cache.clear();
        }

        @Override
        public boolean clear(String name) {
            return cache.clear(name);
        }
    }
}
