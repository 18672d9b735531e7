package dev.cagewright.bench.gateway;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;

/// The certificates of a measurement, ECDSA on P-256, in PEM.
///
/// @param roots what vouches for the origin, and for peers that stand for it
/// @param certificate of [#NAME]
/// @param key of that certificate
/// @param both certificate and key in one file
record Papers(Path roots, Path certificate, Path key, Path both) {
    static final String NAME = "origin.test";

    /// @param folder of secrets
    /// @param open a folder that everybody may read
    static Papers write(Path folder, Path open) throws IOException {
        var authority = CageAuthority.create("bench");
        var leaf = authority.leafFor(new HostName(NAME));
        try {
            var roots = pem(
                    open.resolve("roots.pem"),
                    "CERTIFICATE",
                    authority.certificate().getEncoded());
            var certificate = pem(
                    folder.resolve("origin.pem"),
                    "CERTIFICATE",
                    leaf.certificate().getEncoded());
            var key =
                    pem(folder.resolve("origin.key"), "PRIVATE KEY", leaf.key().getEncoded());
            var both = folder.resolve("origin-both.pem");
            Files.writeString(both, Files.readString(certificate) + Files.readString(key));
            return new Papers(roots, certificate, key, both);
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
