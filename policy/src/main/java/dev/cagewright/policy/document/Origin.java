package dev.cagewright.policy.document;

/// A place in a policy file.
///
/// @param file the file as the person named it, for messages only
/// @param line from 1
/// @param column from 1, in code points
public record Origin(String file, int line, int column) {
    public Origin {
        if (line < 1 || column < 1) {
            throw new IllegalArgumentException("origin: " + line + ":" + column + " (expected: from 1:1)");
        }
    }

    /// `file:line:column`, as compilers write it.
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
