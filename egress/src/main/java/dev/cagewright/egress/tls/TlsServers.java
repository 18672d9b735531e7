package dev.cagewright.egress.tls;

import dev.cagewright.egress.authority.Leaf;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;

/// What the cage's clients shake hands with: one TLS server a leaf, kept as long as the leaf is used.
/// Bounded, safe for all threads.
public final class TlsServers {
    private static final int MOST = 1024;

    private final TlsEngine engine;
    private final Map<Leaf, SslContext> servers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Leaf, SslContext> eldest) {
            return size() > MOST;
        }
    };

    public TlsServers(TlsEngine engine) {
        this.engine = engine;
    }

    /// The server that shows `leaf`; speaks HTTP/2 and HTTP/1.1. Takes a millisecond the first time.
    ///
    /// @throws SSLException if the engine does not take the key
    public SslContext of(Leaf leaf) throws SSLException {
        synchronized (servers) {
            var known = servers.get(leaf);
            if (known != null) {
                return known;
            }
        }
        var made = SslContextBuilder.forServer(leaf.key(), leaf.chain().toArray(X509Certificate[]::new))
                .sslProvider(engine.provider())
                .protocols("TLSv1.3", "TLSv1.2")
                .applicationProtocolConfig(
                        protocols(List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)))
                .build();
        synchronized (servers) {
            servers.put(leaf, made);
        }
        return made;
    }

    static ApplicationProtocolConfig protocols(List<String> names) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, names);
    }
}
