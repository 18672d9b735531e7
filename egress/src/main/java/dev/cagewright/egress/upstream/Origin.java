package dev.cagewright.egress.upstream;

import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.tls.TlsClients.Offer;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.document.Upstream;

/// Where something allowed goes.
///
/// @param named the host that TLS and `Host` name, and the port that is dialled
/// @param way the addresses to be tried in order; judged already, and nothing else is dialled
public record Origin(Authority named, Destination.Dialable way, Security security) {

    /// How it is spoken to.
    public sealed interface Security {
        /// As it is.
        record Clear() implements Security {}

        /// In TLS.
        record Tls(Roots roots, Offer offer) implements Security {}
    }

    /// The port that is dialled: the origin's, or the proxy's.
    int dialledPort() {
        return way.proxy().map(Upstream.Proxy::port).orElseGet(named::port);
    }

    /// Whom a failure to connect is about.
    String dialled() {
        return way.proxy().map(proxy -> "the proxy " + proxy).orElseGet(named::toString);
    }

    /// The port that a name without one means.
    public int usualPort() {
        return security instanceof Security.Tls ? 443 : 80;
    }
}
