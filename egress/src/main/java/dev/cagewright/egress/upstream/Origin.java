package dev.cagewright.egress.upstream;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.tls.TlsClients.Offer;
import dev.cagewright.egress.tls.Trust.Roots;
import java.util.List;

/// Where something allowed goes.
///
/// @param named the host that TLS and `Host` name, and the port that is dialled
/// @param addresses to be tried in order; judged already, and nothing else is dialled
public record Origin(Authority named, List<IpAddress> addresses, Security security) {
    public Origin {
        addresses = List.copyOf(addresses);
    }

    /// How it is spoken to.
    public sealed interface Security {
        /// As it is.
        record Clear() implements Security {}

        /// In TLS.
        record Tls(Roots roots, Offer offer) implements Security {}
    }

    /// The port that a name without one means.
    public int usualPort() {
        return security instanceof Security.Tls ? 443 : 80;
    }
}
