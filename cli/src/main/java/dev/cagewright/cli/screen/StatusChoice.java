package dev.cagewright.cli.screen;

import java.util.Map;
import java.util.regex.Pattern;

/// Where a run shows what it is while a program has the terminal.
public enum StatusChoice {
    /// Nowhere.
    OFF,
    /// In the terminal's title.
    TITLE;

    /// Terminals of these kinds have a title and take the sequence for it; others may print it.
    private static final Pattern TITLED = Pattern.compile("(xterm|tmux|screen|rxvt|alacritty|kitty|foot|wezterm|ghostty"
            + "|st|vte|konsole|gnome|mintty|iterm2?|contour|rio|eterm)([-.+].*)?");

    /// Reads an accepted word.
    ///
    /// @throws IllegalArgumentException naming the accepted words
    public static StatusChoice parse(String word) {
        return switch (word) {
            case "off" -> OFF;
            case "title" -> TITLE;
            case "line" ->
                throw new IllegalArgumentException("--status: line is not there: a line that full-screen programs leave"
                        + " alone takes a terminal emulator between you and them (expected: title, or off and, in"
                        + " another terminal, cagewright net last --follow)");
            default -> throw new IllegalArgumentException("--status: \"" + word + "\" (expected: title or off)");
        };
    }

    /// Does a terminal of this kind have a title?
    public static boolean hasTitle(Map<String, String> environment) {
        return TITLED.matcher(environment.getOrDefault("TERM", "")).matches();
    }
}
