package dev.cagewright.egress.resolve;

import io.netty.channel.EventLoop;
import io.netty.resolver.dns.AuthoritativeDnsServerCache;
import io.netty.resolver.dns.DnsServerAddressStream;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/// Lets an answer that refers to other name servers lead to the host's own again: whoever owns a zone has no say in
/// whom
/// this machine asks.
final class OwnServers implements AuthoritativeDnsServerCache {
    private final Supplier<DnsServerAddressStream> own;

    OwnServers(Supplier<DnsServerAddressStream> own) {
        this.own = own;
    }

    @Override
    public DnsServerAddressStream get(String name) {
        return own.get();
    }

    @Override
    public void cache(String name, InetSocketAddress address, long ttl, EventLoop loop) {
        // of no interest
    }

    @Override
    public void clear() {
        // holds nothing
    }

    @Override
    public boolean clear(String name) {
        return false;
    }
}
