package dev.cagewright.supervisor.policyfile.yaml;

/// A place in a text file.
///
/// @param line from 1; `\n`, `\r\n` and `\r` end a line
/// @param column from 1, in code points; a tab is one
public record Position(int line, int column) implements Comparable<Position> {
    public static final Position START = new Position(1, 1);

    public Position {
        if (line < 1 || column < 1) {
            throw new IllegalArgumentException("position: " + line + ":" + column + " (expected: from 1:1)");
        }
    }

    @Override
    public int compareTo(Position other) {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return line + ":" + column;
    }
}
