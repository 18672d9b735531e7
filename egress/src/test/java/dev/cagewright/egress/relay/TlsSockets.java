package dev.cagewright.egress.relay;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.authority.Leaf;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// The two ends of TLS as other programs have them.
final class TlsSockets {
    private TlsSockets() {}

    /// A server on loopback that shows `leaf`.
    static ServerSocket server(Leaf leaf) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("leaf", leaf.key(), new char[0], leaf.chain().toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /// A client on a connection that stands, which trusts `authority` and says `name`.
    static SSLSocket client(CageAuthority authority, Socket plain, String name) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", authority.certificate());
        var trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return (SSLSocket) context.getSocketFactory().createSocket(plain, name, plain.getPort(), true);
    }
}
