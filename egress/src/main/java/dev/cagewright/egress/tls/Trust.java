package dev.cagewright.egress.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// The certificates that an origin's own has to lead to.
public final class Trust {
    /// Where distributions keep the machine's bundle.
    private static final List<Path> BUNDLES = List.of(
            Path.of("/etc/ssl/certs/ca-certificates.crt"),
            Path.of("/etc/pki/tls/certs/ca-bundle.crt"),
            Path.of("/etc/ssl/cert.pem"));

    private Trust() {}

    /// Which ones.
    public sealed interface Roots {
        /// The machine's; the JDK's where the machine has none.
        record Machine() implements Roots {}

        /// The machine's, and those of a file.
        record MachineAnd(Own more) implements Roots {}

        /// Those of one file alone, as it was read when the run began.
        ///
        /// @param pem its content
        record Own(String file, String pem) implements Roots {
            /// Without the content.
            @Override
            public String toString() {
                return file;
            }
        }
    }

    /// What an engine takes.
    ///
    /// @throws IOException if the file has no certificates, or what cannot be read as such
    static TrustManagerFactory of(Roots roots) throws IOException {
        try {
            return switch (roots) {
                case Roots.Machine _ -> factory(machines());
                case Roots.Own own -> factory(own(own));
                case Roots.MachineAnd(Roots.Own own) -> {
                    var all = new ArrayList<>(machines());
                    all.addAll(own(own));
                    yield factory(all);
                }
            };
        } catch (GeneralSecurityException e) {
            throw new IOException(roots + ": no certificates in PEM: " + e.getMessage(), e);
        }
    }

    private static List<Certificate> own(Roots.Own own) throws IOException, GeneralSecurityException {
        var certificates = certificates(own.pem());
        if (certificates.isEmpty()) {
            throw new IOException(own.file() + ": no certificates in PEM");
        }
        return certificates;
    }

    private static List<Certificate> machines() throws IOException, GeneralSecurityException {
        var bundle = BUNDLES.stream().filter(Files::isReadable).findFirst();
        return bundle.isPresent()
                ? certificates(Files.readString(bundle.get(), StandardCharsets.ISO_8859_1))
                : ofTheJdk();
    }

    private static List<Certificate> ofTheJdk() throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance("PKIX");
        factory.init((KeyStore) null);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
                .<Certificate>map(certificate -> certificate)
                .toList();
    }

    private static List<Certificate> certificates(String pem) throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1));
        return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(bytes));
    }

    private static TrustManagerFactory factory(List<Certificate> certificates)
            throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry(Integer.toString(i), certificates.get(i));
        }
        var factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory;
    }

    /// Reads `file` once, so that what a cage may write later changes nothing.
    public static Roots.Own ownOf(String file) throws IOException {
        var roots = new Roots.Own(file, Files.readString(Path.of(file), StandardCharsets.ISO_8859_1));
        of(roots);
        return roots;
    }
}
