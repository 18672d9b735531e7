package dev.cagewright.supervisor.trust;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Certificates as a PEM file has them. What is between two certificates is kept, and a block that is none is passed
/// over: the file is the administrator's, and other readers of it do the same.
///
/// @param text the whole file
/// @param certificates each one's DER bytes, in the file's order
record RootCertificates(ByteString text, List<ByteString> certificates) {
    /// None at all.
    static final RootCertificates NONE = new RootCertificates(ByteString.of(""), List.of());

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    /// Reads a file of at most 4 MiB.
    ///
    /// @throws IOException if it cannot be read or is larger
    static RootCertificates of(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(file + ": more than " + MAX_BYTES + " bytes (expected: PEM certificates)");
            }
            return of(bytes);
        }
    }

    static RootCertificates of(byte[] text) {
        var found = new ArrayList<ByteString>();
        var all = new String(text, ISO_8859_1);
        for (int begin = all.indexOf(BEGIN); begin >= 0; begin = all.indexOf(BEGIN, begin + 1)) {
            int end = all.indexOf(END, begin);
            if (end < 0) {
                break;
            }
            decoded(all.substring(begin + BEGIN.length(), end)).ifPresent(found::add);
        }
        return new RootCertificates(ByteString.copyOf(text), List.copyOf(found));
    }

    private static Optional<ByteString> decoded(String base64) {
        try {
            return Optional.of(ByteString.copyOf(Base64.getMimeDecoder().decode(base64)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The same and one more.
    RootCertificates with(X509Certificate more) {
        try {
            var out = new ByteArrayOutputStream();
            out.writeBytes(text.toByteArray());
            if (text.size() > 0 && text.at(text.size() - 1) != '\n') {
                out.write('\n');
            }
            out.writeBytes(pem(more));
            var all = new ArrayList<>(certificates);
            all.add(ByteString.copyOf(more.getEncoded()));
            return new RootCertificates(ByteString.copyOf(out.toByteArray()), List.copyOf(all));
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: " + more.getSubjectX500Principal(), e);
        }
    }

    static byte[] pem(X509Certificate certificate) {
        try {
            var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            return (BEGIN + "\n" + base64 + "\n" + END + "\n").getBytes(US_ASCII);
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("certificate: " + certificate.getSubjectX500Principal(), e);
        }
    }
}
