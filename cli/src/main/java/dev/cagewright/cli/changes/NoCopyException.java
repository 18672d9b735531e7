package dev.cagewright.cli.changes;

/// There is nothing to look at, bring over or throw away; the message says why.
final class NoCopyException extends Exception {
    private static final long serialVersionUID = 1;

    NoCopyException(String sentence) {
        super(sentence);
    }
}
