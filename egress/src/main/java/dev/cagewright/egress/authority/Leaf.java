package dev.cagewright.egress.authority;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// What a TLS server needs to answer for one name: a private key and the certificates to send. The chain is the leaf
/// alone, since the authority stands in the cage's trust stores. Immutable; the same object for the same name until it
/// is
/// renewed, so what is made from it (a TLS context) can be kept by identity. Not a record: a record prints its parts.
public final class Leaf {
    private final PrivateKey key;
    private final X509Certificate certificate;
    private final Instant renewAt;

    Leaf(PrivateKey key, X509Certificate certificate, Instant renewAt) {
        this.key = key;
        this.certificate = certificate;
        this.renewAt = renewAt;
    }

    /// The key of every leaf of this cage: ECDSA on P-256.
    public PrivateKey key() {
        return key;
    }

    /// The certificates to send, the leaf first.
    public List<X509Certificate> chain() {
        return List.of(certificate);
    }

    public X509Certificate certificate() {
        return certificate;
    }

    /// The moment from which a new connection gets another leaf, before half of this one's life is over.
    public Instant renewAt() {
        return renewAt;
    }

    boolean isFreshAt(Instant now) {
        return now.isBefore(renewAt) && !now.isBefore(certificate.getNotBefore().toInstant());
    }

    @Override
    public String toString() {
        return "leaf for " + certificate.getSubjectX500Principal().getName() + " until "
                + certificate.getNotAfter().toInstant();
    }
}
