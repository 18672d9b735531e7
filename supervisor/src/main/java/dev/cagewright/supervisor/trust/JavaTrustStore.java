package dev.cagewright.supervisor.trust;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// Certificates as a file that every JDK reads as its `cacerts` without a word: the JKS form, version 2, as the JDK's
/// `sun.security.provider.JavaKeyStore` describes it. A PKCS #12 file would have to be without a password, which old
/// JDKs cannot read. The password is the well-known one, for tools that ask for one; nothing is secret in it.
final class JavaTrustStore {
    private static final int MAGIC = 0xfeed_feed;
    private static final int VERSION = 2;
    private static final int TRUSTED = 2;
    private static final String PASSWORD = "changeit";
    private static final String WHITENER = "Mighty Aphrodite";

    private JavaTrustStore() {}

    /// @param certificates DER bytes; the last one is named `cagewright`
    static byte[] of(List<ByteString> certificates) {
        try {
            var bytes = new ByteArrayOutputStream();
            var out = new DataOutputStream(bytes);
            out.writeInt(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(certificates.size());
            for (int i = 0; i < certificates.size(); i++) {
                write(out, i == certificates.size() - 1 ? "cagewright" : "root-" + i, certificates.get(i));
            }
            out.write(digest(bytes.toByteArray()));
            return bytes.toByteArray();
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("trust store in memory", e);
        }
    }

    private static void write(DataOutputStream out, String alias, ByteString certificate) throws IOException {
        out.writeInt(TRUSTED);
        out.writeUTF(alias);
        out.writeLong(0);
        out.writeUTF("X.509");
        out.writeInt(certificate.size());
        out.write(certificate.toByteArray());
    }

    private static byte[] digest(byte[] content) throws NoSuchAlgorithmException {
        var sha1 = MessageDigest.getInstance("SHA-1");
        sha1.update(PASSWORD.getBytes(UTF_16BE));
        sha1.update(WHITENER.getBytes(UTF_8));
        return sha1.digest(content);
    }
}
