package dev.cagewright.supervisor.desk;

/// A body that is no request; the message says what is wrong and what is accepted.
final class BadBodyException extends Exception {
    private static final long serialVersionUID = 1;

    private final String at;

    /// @param at where: `byte N`, or the way to a member, e.g. `/methods/1`; empty for the whole
    BadBodyException(String at, String what) {
        super(what);
        this.at = at;
    }

    String at() {
        return at;
    }
}
