package dev.cagewright.escape;

/// How a twin went: an allowed act that worked and a denied one that did not both *hold*.
public sealed interface Outcome {
    String detail();

    record Held(String detail) implements Outcome {}

    /// The promise is broken, or the cage is in the way of honest work.
    record Fell(String detail) implements Outcome {}

    /// This host cannot show it.
    ///
    /// @param detail the reason, for the report; never empty
    record Skipped(String detail) implements Outcome {
        public Skipped {
            if (detail.isBlank()) {
                throw new IllegalArgumentException("skip without a reason");
            }
        }
    }

    static Outcome held(String detail) {
        return new Held(detail);
    }

    static Outcome fell(String detail) {
        return new Fell(detail);
    }

    static Outcome skipped(String reason) {
        return new Skipped(reason);
    }
}
