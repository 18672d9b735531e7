package dev.cagewright.policy.token;

import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A host with a key, a clock and a list of what is revoked, and the hands of somebody who tampers.
final class Bench {
    static final long NOW = 1_790_000_000L;

    final TokenKey key;
    final Set<RevId> revoked = new TreeSet<>();
    long now = NOW;

    Bench() {
        this(7);
    }

    Bench(int seed) {
        var bytes = new byte[TokenKey.LENGTH];
        Arrays.fill(bytes, (byte) seed);
        key = TokenKey.of(bytes);
    }

    TokenVerifier verifier() {
        return new TokenVerifier(
                key, lineage -> lineage.stream().filter(revoked::contains).findFirst(), () -> now);
    }

    TokenMint mint() {
        return new TokenMint(key, verifier());
    }

    /// What the host would never sign: any payload, with a good tag.
    byte[] signed(String payload) {
        var bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        return new TokenText(bytes, key.tag(TokenKey.Purpose.TOKEN, bytes)).joined();
    }

    byte[] signed(List<Link> links) {
        return signed(payload(links));
    }

    String payload(List<Link> links) {
        return new String(Payload.write(new Token(key.id(), links)), StandardCharsets.ISO_8859_1);
    }

    /// The payload of a text, and one with another payload and the same tag.
    static String payload(byte[] text) {
        return new String(TokenText.split(text).orElseThrow().signed(), StandardCharsets.ISO_8859_1);
    }

    static byte[] withPayload(byte[] text, String payload) {
        var tag = TokenText.split(text).orElseThrow().tag();
        return new TokenText(payload.getBytes(StandardCharsets.ISO_8859_1), tag).joined();
    }

    static byte[] withTag(byte[] text, byte[] tag) {
        return new TokenText(TokenText.split(text).orElseThrow().signed(), tag).joined();
    }

    static Link link(String rev, Rights rights) {
        return new Link(new RevId(rev), Optional.empty(), NOW, NOW + 7200, rights);
    }

    static Rights rights(String... axes) {
        var rights = Rights.NONE;
        for (String axis : axes) {
            var words = new ArrayList<>(List.of(axis.split(" ", -1)));
            rights = rights.with(Axis.valueOf(words.removeFirst()), words);
        }
        return rights;
    }

    /// A root that may read one host's `/a` tree.
    static Rights usual() {
        return rights("ACTIONS http.request", "HOSTS a.test", "METHODS GET POST", "PATHS /a/**");
    }

    /// A chain of three links: `root`, `middle`, `leaf`.
    byte[] three() {
        return signed(List.of(link("root", usual()), link("middle", usual()), link("leaf", usual())));
    }

    TokenFault fault(byte[] text) {
        return switch (verifier().verify(text)) {
            case Verification.Refused refused -> refused.fault();
            case Verification.Genuine(Token token) -> throw new AssertionError("it holds: " + token);
        };
    }

    String why(byte[] text) {
        return switch (verifier().verify(text)) {
            case Verification.Refused refused -> refused.why();
            case Verification.Genuine(Token token) -> throw new AssertionError("it holds: " + token);
        };
    }

    boolean holds(byte[] text) {
        return verifier().verify(text) instanceof Verification.Genuine;
    }
}
