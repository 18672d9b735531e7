package dev.cagewright.audit.verify;

/// What the seals of a log that is intact say; `docs/audit-format.md`, *Seals*.
///
/// @param proof how far the seals were looked at
/// @param sealed the line of the last seal: nothing up to there was changed, if `proof` is [Proof#KEY]. 0 for none
/// @param epochs how many writers the log has had
/// @param tail whether lines may be missing at the end
public record Sealing(Proof proof, long sealed, long epochs, Tail tail) {
    /// What was found of a log that has no seals and for which no key was given.
    public static final Sealing NONE = new Sealing(Proof.NONE, 0, 0, new Tail.Unknown());

    /// How seals were checked.
    public enum Proof {
        /// There are none.
        NONE,
        /// Their form and their order are right.
        FORM,
        /// They were made with the keys that follow from the seal key.
        KEY
    }

    /// The end of a log.
    public sealed interface Tail {
        /// Nobody can tell without the seal key.
        record Unknown() implements Tail {}

        /// Nothing is missing.
        record Complete() implements Tail {}

        /// It cannot be shown that nothing is missing.
        ///
        /// @param reason one sentence without a full stop
        record Unanchored(String reason) implements Tail {}

        /// Lines are missing.
        ///
        /// @param reason one sentence without a full stop
        record Cut(String reason) implements Tail {}
    }
}
