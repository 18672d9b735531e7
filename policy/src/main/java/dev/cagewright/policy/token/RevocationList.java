package dev.cagewright.policy.token;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// The names that are revoked under one key, as a signed text of lines: whoever is named, and everything delegated
/// from it, is worth nothing. The counter grows with every change, so that an older list can be told from a newer one.
///
/// ```
/// cagewright-revocations 1
/// key 0011223344556677
/// counter 7
/// revoked root-1            in order, each once
/// tag 64 hexadecimal digits
/// ```
///
/// @param counter 1 or more
public record RevocationList(String keyId, long counter, NavigableSet<RevId> revoked) {
    /// The longest list that is read, in bytes.
    public static final int LONGEST = 4 << 20;

    private static final String FIRST = "cagewright-revocations 1\n";
    private static final int TAG_LINE = "tag ".length() + 2 * TokenKey.LENGTH + 1;

    public RevocationList {
        if (counter < 1) {
            throw new IllegalArgumentException("counter: " + counter + " (expected: at least 1)");
        }
        revoked = new TreeSet<>(revoked);
    }

    /// The first list of a key, on which nothing stands.
    public static RevocationList first(TokenKey key) {
        return new RevocationList(key.id(), 1, new TreeSet<>());
    }

    /// The next list, with `rev` on it.
    public RevocationList with(RevId rev) {
        var more = new TreeSet<>(revoked);
        more.add(rev);
        return new RevocationList(keyId, Math.incrementExact(counter), more);
    }

    /// The first of `lineage` that stands on it.
    public Optional<RevId> firstOf(List<RevId> lineage) {
        return lineage.stream().filter(revoked::contains).findFirst();
    }

    /// The signed text.
    public byte[] write(TokenKey key) {
        var body = body();
        var tag = key.tag(TokenKey.Purpose.REVOCATIONS, body);
        var last = ("tag " + TokenKey.hex(tag, tag.length) + "\n").getBytes(StandardCharsets.US_ASCII);
        var all = Arrays.copyOf(body, body.length + last.length);
        System.arraycopy(last, 0, all, body.length, last.length);
        return all;
    }

    private byte[] body() {
        var out = new StringBuilder(FIRST);
        out.append("key ").append(keyId).append('\n');
        out.append("counter ").append(counter).append('\n');
        revoked.forEach(rev -> out.append("revoked ").append(rev).append('\n'));
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /// Reads a signed text. The tag comes first, and only what it is of is read.
    ///
    /// @throws UnknownRevocationsException if it is empty, cut, edited, of another key or no such list; says which
    public static RevocationList read(byte[] text, TokenKey key) throws UnknownRevocationsException {
        if (text.length > LONGEST || text.length < FIRST.length() + TAG_LINE) {
            throw new UnknownRevocationsException("it is no whole list: " + text.length + " bytes");
        }
        int split = text.length - TAG_LINE;
        var body = Arrays.copyOf(text, split);
        var last = new String(text, split, TAG_LINE, StandardCharsets.ISO_8859_1);
        var tag = key.tag(TokenKey.Purpose.REVOCATIONS, body);
        var expected = "tag " + TokenKey.hex(tag, tag.length) + "\n";
        if (!MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.ISO_8859_1), last.getBytes(StandardCharsets.ISO_8859_1))) {
            throw new UnknownRevocationsException(
                    "it is cut, was edited, or is signed with another key than " + key.id());
        }
        try {
            var list = parse(body);
            if (list.keyId.equals(key.id()) && Arrays.equals(list.body(), body)) {
                return list;
            }
        } catch (IllegalArgumentException e) {
            throw new UnknownRevocationsException("what was signed is no list: " + e.getMessage());
        }
        throw new UnknownRevocationsException("what was signed is no list of the key " + key.id());
    }

    private static RevocationList parse(byte[] body) {
        var lines = new String(body, StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.size() < 3
                || !lines.get(1).startsWith("key ")
                || !lines.get(2).matches("counter [0-9]{1,18}")) {
            throw new IllegalArgumentException("its head is missing");
        }
        var revoked = new TreeSet<RevId>();
        for (String line : lines.subList(3, lines.size())) {
            if (!line.startsWith("revoked ")) {
                throw new IllegalArgumentException("a line names nothing");
            }
            revoked.add(new RevId(line.substring("revoked ".length())));
        }
        return new RevocationList(
                lines.get(1).substring("key ".length()),
                Long.parseLong(lines.get(2).substring("counter ".length())),
                revoked);
    }
}
