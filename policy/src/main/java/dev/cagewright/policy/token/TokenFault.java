package dev.cagewright.policy.token;

import dev.cagewright.policy.decision.RuleId;
import java.util.Locale;

/// Why a token is worth nothing. Each has its own name in denials; they never change.
public enum TokenFault {
    /// It is longer, or has more links, than any token may have; nothing of it was read.
    TOO_LARGE,
    /// It is not the text of a token, or what was signed is not what a token says.
    MALFORMED,
    /// It was signed with another key, or with none.
    FORGED,
    /// Something in it is not what was signed.
    EDITED,
    /// A link is missing that was there when it was signed.
    STRIPPED,
    /// There are links in it that were not there when it was signed.
    PADDED,
    /// Its links stand in another order than when it was signed.
    REORDERED,
    /// One of its links is over.
    EXPIRED,
    /// It was made at a time that has not come yet.
    NOT_YET,
    /// The clock of this machine stands before a time that it has shown already.
    CLOCK,
    /// It is revoked.
    REVOKED,
    /// A link that it was delegated from is revoked.
    REVOKED_ANCESTOR,
    /// What is revoked cannot be known: the list is missing, unreadable, older than one seen before, or not signed.
    REVOCATIONS_UNKNOWN,
    /// There is no key to verify it with.
    NO_KEY;

    /// As denials name it, e.g. `revoked-ancestor`.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The rule of such a denial, e.g. `token:revoked-ancestor`.
    public RuleId rule() {
        return new RuleId("token:" + word());
    }
}
