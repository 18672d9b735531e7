package dev.cagewright.policy.token;

import java.util.HashSet;
import java.util.List;

/// What a token says, without the tag that makes it worth something: a chain of links, root first.
///
/// @param keyId the name of the key that it says it is signed with
/// @param links 1 to [#MOST_LINKS], each with a name of its own; only the first has an issuer
public record Token(String keyId, List<Link> links) {
    public static final int MOST_LINKS = 32;

    public Token {
        links = List.copyOf(links);
        if (!keyId.matches("[0-9a-f]{16}")) {
            throw new IllegalArgumentException("key: (expected: 16 hexadecimal digits)");
        }
        if (links.isEmpty() || links.size() > MOST_LINKS) {
            throw new IllegalArgumentException("links: " + links.size() + " (expected: 1 to " + MOST_LINKS + ")");
        }
        if (links.stream().skip(1).anyMatch(link -> link.issuer().isPresent())) {
            throw new IllegalArgumentException("issuer: in a child (expected: in the root only)");
        }
        if (new HashSet<>(links.stream().map(Link::rev).toList()).size() < links.size()) {
            throw new IllegalArgumentException("rev: the same twice in one chain (expected: a name for each link)");
        }
    }

    /// The newest link, whose holder this is.
    public Link head() {
        return links.getLast();
    }

    /// The names of its links, root first.
    public List<RevId> lineage() {
        return links.stream().map(Link::rev).toList();
    }

    /// The first second at which one of its links is over.
    public long expires() {
        return links.stream().mapToLong(Link::expires).min().orElseThrow();
    }

    /// The last second at which one of its links was made.
    public long issued() {
        return links.stream().mapToLong(Link::issued).max().orElseThrow();
    }

    @Override
    public String toString() {
        return "token " + head().rev() + " of " + links.getFirst().rev();
    }
}
