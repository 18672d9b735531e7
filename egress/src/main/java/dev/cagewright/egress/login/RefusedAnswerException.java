package dev.cagewright.egress.login;

/// An answer of a token end point that does not reach the cage.
final class RefusedAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    private final String kind;

    /// @param kind one word for records, behind `login.`
    /// @param why one sentence without anything of the answer but names
    RefusedAnswerException(String kind, String why) {
        super(why, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.kind = kind;
    }

    String kind() {
        return kind;
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
