package dev.cagewright.egress.inspect;

/// A body that nobody can look at.
public final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    private final String kind;

    /// @param kind see [Sighting]
    public UnreadableException(String kind) {
        super(kind, null, false, false);
        this.kind = kind;
    }

    public String kind() {
        return kind;
    }
}
