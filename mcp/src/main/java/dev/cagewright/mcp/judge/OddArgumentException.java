package dev.cagewright.mcp.judge;

/// An argument that nobody can say what it means to a server.
final class OddArgumentException extends Exception {
    private static final long serialVersionUID = 1;

    /// @param pointer of the argument
    OddArgumentException(String pointer, String why) {
        super(pointer + " " + why);
    }
}
