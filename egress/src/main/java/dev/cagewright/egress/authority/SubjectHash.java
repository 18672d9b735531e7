package dev.cagewright.egress.authority;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/// The name under which a folder of certificates is searched by OpenSSL: X509_NAME_hash(3), the first four bytes of the
/// SHA-1 of the name's parts, each in lower case and as UTF-8. For names whose parts have one plain word each.
final class SubjectHash {
    private SubjectHash() {}

    /// Eight hexadecimal digits.
    static String of(X500Name name) {
        try {
            var digest = MessageDigest.getInstance("SHA-1").digest(canonical(name));
            return String.format(
                    Locale.ROOT,
                    "%08x",
                    ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getInt());
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new IllegalStateException("subject hash: " + name, e);
        }
    }

    private static byte[] canonical(X500Name name) throws IOException {
        var parts = new ByteArrayOutputStream();
        for (var part : name.getRDNs()) {
            var pair = part.getFirst();
            var text = IETFUtils.valueToString(pair.getValue()).toLowerCase(Locale.ROOT);
            var canonical = new DERSequence(new ASN1Encodable[] {pair.getType(), new DERUTF8String(text)});
            parts.writeBytes(new DERSet(canonical).getEncoded("DER"));
        }
        return parts.toByteArray();
    }
}
