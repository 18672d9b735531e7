package dev.cagewright.policy.quantity;

import dev.cagewright.policy.action.ByteString;

/// The one shape in which a value of a policy file is refused: field, value as written (escaped), and what would
/// have been right.
public final class Field {
    private static final int LONGEST_PATH = 1024;

    private Field() {}

    /// A refusal of `text` for `field`, e.g. `resources.memory: "1.5G" (expected: ...)`; the caller throws it.
    public static IllegalArgumentException refusal(String field, String text, String expected) {
        return new IllegalArgumentException(
                field + ": \"" + ByteString.of(text).printable() + "\" (expected: " + expected + ")");
    }

    /// Reads an absolute path of a file of the host.
    ///
    /// @param what the file is, for people
    /// @throws IllegalArgumentException naming `field`
    public static String hostFile(String field, String text, String what) {
        boolean isPlain = text.startsWith("/")
                && text.length() <= LONGEST_PATH
                && text.equals(text.strip())
                && !hasControl(text)
                && !(text + "/").contains("/../");
        if (!isPlain) {
            throw refusal(field, text, "the absolute path of " + what + " on this machine");
        }
        return text;
    }

    /// Is there a control, format or line-separator character, or half a surrogate pair?
    public static boolean hasControl(String text) {
        return text.codePoints().anyMatch(Field::isUnseen);
    }

    private static boolean isUnseen(int point) {
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
