package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Streams;

/// The size and the settings of a program's terminal; zero and empty when it has none.
public record TerminalShape(int rows, int columns, ByteString settings) {
    public static TerminalShape of(Streams streams) {
        return switch (streams) {
            case Streams.Pipes _ -> new TerminalShape(0, 0, ByteString.of(""));
            case Streams.Pty pty -> new TerminalShape(pty.rows(), pty.columns(), pty.settings());
        };
    }
}
