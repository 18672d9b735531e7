package dev.cagewright.egress.authority;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Composes certificates after RFC 5280 section 4.2: what strict verifiers (OpenSSL `-x509_strict`, Python from 3.13,
/// Java PKIX, Go, rustls) ask of an authority and of a server. Keys are ECDSA on P-256, signed with SHA-256.
final class Certificates {
    private static final Pattern CAGE = Pattern.compile("[A-Za-z0-9._-]{1,48}");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String PRODUCT = "Cagewright";
    /// The authority begins earlier than any leaf, whichever way the clock is set a little.
    private static final Duration AUTHORITY_BACK_DATED = Duration.ofDays(1);

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(730);
    /// RFC 5280 appendix A, ub-common-name.
    private static final int LONGEST_COMMON_NAME = 64;
    /// Positive and unguessable (RFC 5280 section 4.1.2.2 allows 20 bytes).
    private static final int SERIAL_BITS = 127;

    private final X500Name issuer;
    private final ContentSigner signer;
    private final JcaX509ExtensionUtils identifiers;
    private final X509Certificate authority;

    private Certificates(X500Name issuer, KeyPair key, Instant now)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        this.issuer = issuer;
        signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate());
        identifiers = new JcaX509ExtensionUtils();
        authority = certify(authorityOf(key.getPublic(), now));
    }

    static Certificates selfSigned(String cage, Instant now) {
        if (!CAGE.matcher(cage).matches()) {
            throw new IllegalArgumentException(
                    "cage: " + cage + " (expected: 1 to 48 letters, digits, '.', '_' and '-')");
        }
        var issuer = named(PRODUCT + " cage " + cage);
        try {
            return new Certificates(issuer, newKey(), now);
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("authority: " + cage, e);
        }
    }

    static KeyPair newKey() {
        try {
            var keys = KeyPairGenerator.getInstance("EC");
            keys.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return keys.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no keys on P-256", e);
        }
    }

    X509Certificate authority() {
        return authority;
    }

    String subjectHash() {
        return SubjectHash.of(issuer);
    }

    /// @throws IllegalStateException if the authority's certificate has run out
    X509Certificate leaf(Subject subject, PublicKey key, Instant now) {
        var end = authority.getNotAfter().toInstant();
        if (!now.isBefore(end)) {
            throw new IllegalStateException("authority: ended " + end + "; a new cage has a new one");
        }
        try {
            return certify(leafOf(subject, key, now));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("leaf: " + subject.text(), e);
        }
    }

    private X509v3CertificateBuilder authorityOf(PublicKey key, Instant now) throws IOException {
        var begin = now.minus(AUTHORITY_BACK_DATED);
        var builder = new JcaX509v3CertificateBuilder(
                issuer, serial(), seconds(begin), seconds(begin.plus(AUTHORITY_LIFE)), issuer, key);
        return builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign))
                .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key));
    }

    private X509v3CertificateBuilder leafOf(Subject subject, PublicKey key, Instant now)
            throws GeneralSecurityException, IOException {
        var begin = now.minus(CageAuthority.BACK_DATED);
        var end = earlier(
                begin.plus(CageAuthority.LEAF_LIFE), authority.getNotAfter().toInstant());
        var builder = new JcaX509v3CertificateBuilder(
                issuer, serial(), seconds(begin), seconds(end), named(subject.text()), key);
        return builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(subject.alternativeName()))
                .addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(key))
                .addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        identifiers.createAuthorityKeyIdentifier(authority.getPublicKey()));
    }

    private X509Certificate certify(X509v3CertificateBuilder builder) throws GeneralSecurityException {
        synchronized (signer) {
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        }
    }

    /// A name that does not fit a common name is left to the alternative name, which is what clients read.
    private static X500Name named(String commonName) {
        var name = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.O, PRODUCT);
        if (commonName.length() <= LONGEST_COMMON_NAME) {
            name.addRDN(BCStyle.CN, commonName);
        }
        return name.build();
    }

    private static BigInteger serial() {
        BigInteger serial;
        do {
            serial = new BigInteger(SERIAL_BITS, RANDOM);
        } while (serial.signum() == 0);
        return serial;
    }

    private static Date seconds(Instant instant) {
        return Date.from(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
