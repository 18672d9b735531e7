package dev.cagewright.policy.token;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.token.right.Axis;

/// What a child may ask for: nothing that its parent does not grant. The verifier would not let it through either;
/// here whoever asks is told.
final class Narrowing {
    private Narrowing() {}

    /// @throws IllegalArgumentException naming what goes beyond `parent`, or cannot be shown not to
    static void require(Token parent, Link child) {
        if (parent.links().size() == Token.MOST_LINKS) {
            throw new IllegalArgumentException("links: " + Token.MOST_LINKS + " already (expected: fewer)");
        }
        var wider = parent.head();
        for (Axis axis : Axis.values()) {
            if (!child.rights().isWithin(wider.rights(), axis)) {
                throw new IllegalArgumentException(axis.word() + ": \""
                        + child.rights().spelt(axis).orElse("") + "\" is not within what " + wider.rev()
                        + " grants (expected: a part of \""
                        + wider.rights().spelt(axis).orElse("") + "\")");
            }
        }
        if (child.expires() > parent.expires()) {
            throw new IllegalArgumentException("expires: " + child.expires() + " is later than " + wider.rev()
                    + " (expected: at most " + parent.expires() + ")");
        }
        for (Budget.Measure measure : Budget.Measure.values()) {
            requireNotMore(wider, child, measure);
        }
    }

    /// Amounts for different periods cannot be compared.
    private static void requireNotMore(Link wider, Link child, Budget.Measure measure) {
        var bound = wider.rights().budget().rate(measure);
        var asked = child.rights().budget().rate(measure);
        boolean isMore = bound.isPresent()
                && (asked.isEmpty()
                        || asked.get().per() != bound.get().per()
                        || asked.get().amount() > bound.get().amount());
        if (isMore) {
            throw new IllegalArgumentException(measure.word() + ": not within what " + wider.rev()
                    + " has (expected: at most " + measure.text(bound.get()) + ")");
        }
    }
}
