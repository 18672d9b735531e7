package dev.cagewright.network;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// What a cage may reach: `a.test` over https and over http, both on loopback, with a certificate of an
/// authority of their own. Each request is answered with what was understood of it, its credential too, and remembered.
final class Outside implements AutoCloseable {
    private static final Duration DRIP = Duration.ofMillis(50);

    final List<String> asked = new CopyOnWriteArrayList<>();

    /// What stood in `Authorization`, of the requests that had it.
    final List<String> shown = new CopyOnWriteArrayList<>();

    private final CageAuthority authority = CageAuthority.create("outside");
    private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpsServer secure;
    private final HttpServer clear;

    Outside() throws IOException, GeneralSecurityException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        secure = HttpsServer.create(anyPort, 50);
        secure.setHttpsConfigurator(new HttpsConfigurator(context()));
        clear = HttpServer.create(anyPort, 50);
        for (HttpServer server : List.of(secure, clear)) {
            server.createContext("/", this::answer);
            server.setExecutor(serving);
            server.start();
        }
    }

    private SSLContext context() throws IOException, GeneralSecurityException {
        var leaf = authority.leafFor(new HostName("a.test"));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("a.test", leaf.key(), new char[0], leaf.chain().toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var told = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " for "
                + exchange.getRequestHeaders().getFirst("Host") + " with " + body.length;
        asked.add(told);
        var credential = exchange.getRequestHeaders().getFirst("Authorization");
        if (credential != null) {
            shown.add(credential);
            told += " shown " + credential;
        }
        if (told.contains("/ok/drip ")) {
            drip(exchange);
            return;
        }
        var bytes = (told + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /// Goes on until nobody listens.
    private void drip(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (var out = exchange.getResponseBody()) {
            while (!serving.isShutdown()) {
                out.write("drip\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
                LockSupport.parkNanos(DRIP.toNanos());
            }
        }
    }

    int securePort() {
        return secure.getAddress().getPort();
    }

    int clearPort() {
        return clear.getAddress().getPort();
    }

    /// A file with the certificate that the origin's own leads to.
    Path roots(Path folder) throws IOException, GeneralSecurityException {
        var text =
                Base64.getMimeEncoder().encodeToString(authority.certificate().getEncoded());
        return Files.writeString(
                folder.resolve("outside.pem"),
                "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    }

    @Override
    public void close() {
        secure.stop(0);
        clear.stop(0);
        serving.shutdownNow();
    }
}
