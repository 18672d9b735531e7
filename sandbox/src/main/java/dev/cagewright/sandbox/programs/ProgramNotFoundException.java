package dev.cagewright.sandbox.programs;

/// A program's name means no file that the cage may start. The message says what was looked for, where,
/// and what to do.
public final class ProgramNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /// What is wrong, as shells tell it apart.
    public enum Kind {
        /// There is no such file in the cage: 127 in shells.
        MISSING,
        /// There is one, and it is no program: 126 in shells.
        NOT_EXECUTABLE
    }

    ProgramNotFoundException(String message) {
        this(Kind.MISSING, message);
    }

    ProgramNotFoundException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
