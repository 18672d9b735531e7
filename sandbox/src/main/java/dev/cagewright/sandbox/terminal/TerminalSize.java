package dev.cagewright.sandbox.terminal;

/// A terminal's size in character cells; 24 x 80 where the terminal does not say.
public record TerminalSize(int rows, int columns) {
    public static final TerminalSize USUAL = new TerminalSize(24, 80);

    public TerminalSize {
        if (rows < 1 || columns < 1 || rows > 0xffff || columns > 0xffff) {
            throw new IllegalArgumentException(
                    "terminal size: " + rows + " x " + columns + " (expected: 1 to 65535 each)");
        }
    }
}
