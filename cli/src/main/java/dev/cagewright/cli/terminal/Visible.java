package dev.cagewright.cli.terminal;

/// Text for a terminal: what could move the cursor, change colours, reorder or forge lines is written as its
/// number in braces. Text that is escaped already stays as it is; use it for whole sentences, and
/// `ByteString.printable` for values.
public final class Visible {
    private Visible() {}

    /// One line without a control, format or line separating character.
    public static String text(String text) {
        if (text.codePoints().noneMatch(Visible::isHidden)) {
            return text;
        }
        var out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> append(out, point));
        return out.toString();
    }

    private static void append(StringBuilder out, int point) {
        if (isHidden(point)) {
            out.append("\\u{").append(Integer.toHexString(point)).append('}');
        } else {
            out.appendCodePoint(point);
        }
    }

    private static boolean isHidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }
}
