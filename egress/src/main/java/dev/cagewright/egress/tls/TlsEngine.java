package dev.cagewright.egress.tls;

import io.netty.handler.ssl.SslProvider;

/// Whose code does TLS.
public enum TlsEngine {
    /// BoringSSL: two to five times as many handshakes a second.
    NATIVE(SslProvider.OPENSSL),
    /// The JDK's own.
    JDK(SslProvider.JDK);

    private final SslProvider provider;

    TlsEngine(SslProvider provider) {
        this.provider = provider;
    }

    SslProvider provider() {
        return provider;
    }
}
