package dev.cagewright.egress.authority;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What strict verifiers that are not ours say of the certificates.
class StrictClientsTest {
    private static final HostName NAME = new HostName("a.test");

    private final CageAuthority authority = CageAuthority.create("c-1");

    @TempDir
    private Path folder;

    @Test
    void B066_openssl_takes_the_chain_by_its_strict_rules() throws Exception {
        var leaf = write("leaf.pem", authority.leafFor(NAME).certificate());
        var longName = write(
                "long.pem",
                authority
                        .leafFor(new HostName("x".repeat(60) + "." + "y".repeat(60)))
                        .certificate());
        var root = write("root.pem", authority.certificate());

        assertThat(verify(root, "-verify_hostname", "a.test", leaf)).isEqualTo(leaf + ": OK\n");
        assertThat(verify(root, "-verify_hostname", "x".repeat(60) + "." + "y".repeat(60), longName))
                .isEqualTo(longName + ": OK\n");
        assertThat(verify(root, "-verify_hostname", "b.test", leaf)).contains("hostname mismatch");
        assertThat(verify(root, "-verify_hostname", "x.a.test", leaf)).contains("hostname mismatch");
    }

    @Test
    void B066_openssl_takes_an_address_and_no_other() throws Exception {
        var address = IpAddress.of(new byte[] {(byte) 192, 0, 2, 7});
        var leaf = write("leaf.pem", authority.leafFor(address).certificate());
        var root = write("root.pem", authority.certificate());

        assertThat(verify(root, "-verify_ip", "192.0.2.7", leaf)).isEqualTo(leaf + ": OK\n");
        assertThat(verify(root, "-verify_ip", "192.0.2.8", leaf)).contains("IP address mismatch");
    }

    @Test
    void openssl_finds_the_authority_in_a_folder_of_certificates() throws Exception {
        var root = write(authority.subjectHash() + ".0", authority.certificate());
        var leaf = write("leaf.pem", authority.leafFor(NAME).certificate());

        assertThat(output("openssl", "x509", "-in", root.toString(), "-noout", "-subject_hash"))
                .isEqualTo(authority.subjectHash() + "\n");
        assertThat(output("openssl", "verify", "-no-CAfile", "-CApath", folder.toString(), leaf.toString()))
                .isEqualTo(leaf + ": OK\n");
    }

    @Test
    void B068_openssl_takes_a_leaf_by_a_clock_that_is_behind_or_ahead_and_not_by_next_weeks() throws Exception {
        var leaf = write("leaf.pem", authority.leafFor(NAME).certificate());
        var root = write("root.pem", authority.certificate());
        var now = Instant.now();

        assertThat(verify(root, "-attime", at(now.minus(Duration.ofMinutes(10))), leaf))
                .isEqualTo(leaf + ": OK\n");
        assertThat(verify(root, "-attime", at(now.plus(Duration.ofHours(25))), leaf))
                .isEqualTo(leaf + ": OK\n");
        assertThat(verify(root, "-attime", at(now.plus(Duration.ofDays(8))), leaf))
                .contains("certificate has expired");
    }

    @Test
    void openssl_takes_no_leaf_that_the_leafs_key_signed() throws Exception {
        var leaf = write("leaf.pem", authority.leafFor(NAME).certificate());
        var stranger = write("stranger.pem", CageAuthority.create("c-1").certificate());

        assertThat(verify(stranger, "-verify_hostname", "a.test", leaf)).contains("verification failed");
    }

    @Test
    void java_takes_the_chain_by_its_pkix_rules_and_no_stranger() throws Exception {
        var path = CertificateFactory.getInstance("X.509")
                .generateCertPath(authority.leafFor(NAME).chain());

        CertPathValidator.getInstance("PKIX").validate(path, trusting(authority.certificate()));

        assertThatThrownBy(() -> CertPathValidator.getInstance("PKIX")
                        .validate(path, trusting(CageAuthority.create("c-1").certificate())))
                .isInstanceOf(CertPathValidatorException.class);
    }

    @Test
    void B066_python_takes_a_leaf_in_a_handshake_by_its_strict_rules() throws Exception {
        var root = write("root.pem", authority.certificate());
        try (var server = serve(authority.leafFor(NAME))) {
            assertThat(python(root, server, "a.test")).isEqualTo("took TLSv1.3\n");
            assertThat(python(root, server, "b.test")).contains("Hostname mismatch");
        }
    }

    @Test
    void java_takes_a_leaf_for_the_address_it_dialled() throws Exception {
        try (var server = serve(authority.leafFor(IpAddress.of(InetAddress.getLoopbackAddress())))) {
            var url = URI.create("https://127.0.0.1:" + server.getLocalPort() + "/")
                    .toURL();
            var connection = (HttpsURLConnection) url.openConnection(Proxy.NO_PROXY);
            connection.setSSLSocketFactory(
                    clientTrusting(authority.certificate()).getSocketFactory());
            try (var body = connection.getInputStream()) {
                assertThat(new String(body.readAllBytes(), UTF_8)).isEqualTo("took");
            }
        }
    }

    private static String at(Instant time) {
        return Long.toString(time.getEpochSecond());
    }

    private String verify(Path root, String option, String value, Path leaf) throws IOException, InterruptedException {
        return output(
                "openssl",
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-no-CApath",
                "-CAfile",
                root.toString(),
                option,
                value,
                leaf.toString());
    }

    private static String python(Path root, SSLServerSocket server, String name)
            throws IOException, InterruptedException {
        return output("python3", "-c", """
                import socket, ssl, sys
                context = ssl.create_default_context(cafile=sys.argv[1])
                context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
                try:
                    plain = socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=20)
                    print("took", context.wrap_socket(plain, server_hostname=sys.argv[3]).version())
                except ssl.SSLError as refusal:
                    print(refusal)
                """, root.toString(), Integer.toString(server.getLocalPort()), name);
    }

    private static String output(String... argv) throws IOException, InterruptedException {
        var process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return text;
    }

    private Path write(String name, X509Certificate certificate) throws Exception {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return Files.writeString(
                folder.resolve(name),
                "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n",
                US_ASCII);
    }

    private static PKIXParameters trusting(X509Certificate root) throws Exception {
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
        parameters.setRevocationEnabled(false);
        return parameters;
    }

    private static SSLContext clientTrusting(X509Certificate root) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("cage", root);
        var trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /// Answers each handshake that ends well with one HTTP response.
    private static SSLServerSocket serve(Leaf leaf) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("leaf", leaf.key(), new char[0], leaf.chain().toArray(X509Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        var server = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> answer(server));
        return server;
    }

    private static void answer(SSLServerSocket server) {
        while (!server.isClosed()) {
            try (var client = server.accept()) {
                var request = new byte[4_096];
                if (client.getInputStream().read(request) > 0) {
                    client.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntook"
                                    .getBytes(US_ASCII));
                }
            } catch (IOException refused) {
                // The client did not like the certificate, or the server was closed.
                assertThat(List.of(refused)).isNotEmpty();
            }
        }
    }
}
