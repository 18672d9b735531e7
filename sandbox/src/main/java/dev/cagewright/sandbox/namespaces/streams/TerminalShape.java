package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Streams;

/// The size of a program's terminal; all zero when it has none.
public record TerminalShape(int rows, int columns) {
    public static TerminalShape of(Streams streams) {
        return switch (streams) {
            case Streams.Pipes _ -> new TerminalShape(0, 0);
            case Streams.Pty(int rows, int columns, var _, var _) -> new TerminalShape(rows, columns);
        };
    }
}
