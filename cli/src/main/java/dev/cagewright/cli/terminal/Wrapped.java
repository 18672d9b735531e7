package dev.cagewright.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/// Text broken into lines at blanks.
public final class Wrapped {
    private Wrapped() {}

    /// At least one line, each at most `columns` code points unless one word is longer.
    public static List<String> text(String text, int columns) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && width(line) + 1 + width(word) > columns) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static int width(CharSequence text) {
        return Character.codePointCount(text, 0, text.length());
    }
}
