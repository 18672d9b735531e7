package dev.cagewright.sandbox.programs;

/// A program's name means no file that the cage may start. The message says what was looked for, where,
/// and what to do.
public final class ProgramNotFoundException extends Exception {
    private static final long serialVersionUID = 1L;

    ProgramNotFoundException(String message) {
        super(message);
    }
}
