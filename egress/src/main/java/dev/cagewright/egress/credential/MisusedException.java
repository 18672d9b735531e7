package dev.cagewright.egress.credential;

/// A decoy is where it may not be; what it is in goes nowhere.
final class MisusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Misuse misuse;

    MisusedException(Misuse misuse) {
        super(misuse.why());
        this.misuse = misuse;
    }

    Misuse misuse() {
        return misuse;
    }
}
