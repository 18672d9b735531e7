package dev.cagewright.supervisor.policyfile.yaml;

/// One thing that is wrong in a file, in one line that is safe on a terminal.
///
/// @param file the file's name as the person gave it, printable
/// @param message what is wrong
/// @param hint what to do about it; empty when the message says it
public record Problem(String file, Position at, String message, String hint) {
    public int line() {
        return at.line();
    }

    public int column() {
        return at.column();
    }

    /// `policy.yaml:3:5: unknown key "allowlst" (did you mean "allowlist"?)`.
    @Override
    public String toString() {
        return file + ":" + at + ": " + message + (hint.isEmpty() ? "" : " (" + hint + ")");
    }
}
