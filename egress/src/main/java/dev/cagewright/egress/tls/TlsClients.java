package dev.cagewright.egress.tls;

import dev.cagewright.egress.tls.Trust.Roots;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// What shakes hands with origins: chain, expiry and name are verified, and there is no way to have them not
/// verified. Safe for all threads.
public final class TlsClients {
    private final TlsEngine engine;
    private final ConcurrentHashMap<Kind, SslContext> clients = new ConcurrentHashMap<>();

    public TlsClients(TlsEngine engine) {
        this.engine = engine;
    }

    /// What is offered to the origin.
    public enum Offer {
        HTTP_1,
        HTTP_2_OR_1
    }

    private record Kind(Roots roots, Offer offer) {}

    /// The client that trusts `roots`. Reads their file the first time.
    ///
    /// @throws IOException if they cannot be read
    public SslContext of(Roots roots, Offer offer) throws IOException {
        var kind = new Kind(roots, offer);
        var known = clients.get(kind);
        if (known != null) {
            return known;
        }
        var names = switch (offer) {
            case HTTP_1 -> List.of(ApplicationProtocolNames.HTTP_1_1);
            case HTTP_2_OR_1 -> List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
        };
        var made = SslContextBuilder.forClient()
                .sslProvider(engine.provider())
                .protocols("TLSv1.3", "TLSv1.2")
                .trustManager(Trust.of(roots))
                .endpointIdentificationAlgorithm("HTTPS")
                .applicationProtocolConfig(TlsServers.protocols(names))
                .build();
        clients.put(kind, made);
        return made;
    }
}
