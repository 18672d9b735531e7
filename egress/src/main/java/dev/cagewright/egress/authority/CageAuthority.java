package dev.cagewright.egress.authority;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// The certificate authority of one cage. It is made with the cage and gone with it; its key is in memory only.
/// Whatever
/// trusts it trusts it inside that cage alone, because no other trust store has its certificate.
///
/// Leaves are valid for [#LEAF_LIFE] from [#BACK_DATED] ago and are replaced before half of that is over, so a clock
/// that
/// is minutes behind or a day ahead takes them, and a cage that runs for weeks never shows an old one. All leaves of a
/// cage have one key. A leaf is for one name; there is no wildcard.
///
/// Thread-safe. [#leafFor] makes a key signature now and then (about a millisecond): call it on a thread that may wait,
/// never on an event loop; [#readyLeaf] never waits.
public final class CageAuthority {
    /// How long a leaf is good for, in all.
    public static final Duration LEAF_LIFE = Duration.ofDays(7);

    /// How far before its making a certificate begins, for clocks that are behind.
    public static final Duration BACK_DATED = Duration.ofHours(1);

    private static final Duration RENEWED_AFTER = Duration.ofDays(3);
    private static final int LEAVES = 1_024;

    private final InstantSource clock;
    private final Certificates certificates;
    private final KeyPair leafKey;
    private final LeafShelf shelf = new LeafShelf(LEAVES);

    private CageAuthority(String cage, InstantSource clock) {
        this.clock = clock;
        certificates = Certificates.selfSigned(cage, clock.instant());
        leafKey = Certificates.newKey();
    }

    /// A new authority with new keys. `cage` stands in its name, for people who look at a certificate.
    ///
    /// @throws IllegalArgumentException unless `cage` is 1 to 48 letters, digits, `.`, `_` and `-`
    public static CageAuthority create(String cage) {
        return create(cage, InstantSource.system());
    }

    static CageAuthority create(String cage, InstantSource clock) {
        return new CageAuthority(cage, clock);
    }

    /// The self-signed certificate that the cage's trust stores need.
    public X509Certificate certificate() {
        return certificates.authority();
    }

    /// The name, eight hexadecimal digits, under which OpenSSL looks for the certificate in a folder of certificates.
    public String subjectHash() {
        return certificates.subjectHash();
    }

    /// The leaf for this name, made now if there is no fresh one.
    ///
    /// @throws IllegalArgumentException if the name is an address as text
    /// @throws IllegalStateException if the authority's own certificate has run out
    public Leaf leafFor(HostName name) {
        return leafFor(new Subject.Name(name));
    }

    /// The leaf for this address, made now if there is no fresh one.
    ///
    /// @throws IllegalStateException if the authority's own certificate has run out
    public Leaf leafFor(IpAddress address) {
        return leafFor(new Subject.Address(address));
    }

    /// The fresh leaf for this name if it was made before.
    public Optional<Leaf> readyLeaf(HostName name) {
        return shelf.ready(new Subject.Name(name), clock.instant());
    }

    private Leaf leafFor(Subject subject) {
        var now = clock.instant();
        return shelf.get(subject, now, () -> mint(subject, now));
    }

    private Leaf mint(Subject subject, Instant now) {
        var certificate = certificates.leaf(subject, leafKey.getPublic(), now);
        return new Leaf(leafKey.getPrivate(), certificate, now.plus(RENEWED_AFTER));
    }

    int leaves() {
        return shelf.size();
    }

    @Override
    public String toString() {
        return "authority " + certificate().getSubjectX500Principal().getName();
    }
}
