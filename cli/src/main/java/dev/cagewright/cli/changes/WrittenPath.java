package dev.cagewright.cli.changes;

import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Paths as `changes` shows them: with a backslash and `n`, `xff`, `u{202e}` or another backslash for what cannot be
/// shown or typed.
final class WrittenPath {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([\\\\nrt])|x([0-9a-f]{2})|u\\{([0-9a-f]{1,6})})");

    private WrittenPath() {}

    /// The bytes that `text` stands for; what is no escape stands for itself.
    static ByteString bytes(String text) {
        return unescaped(text).orElse(ByteString.of(text));
    }

    private static Optional<ByteString> unescaped(String text) {
        var out = new ByteArrayOutputStream();
        Matcher escape = ESCAPE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            int next = text.indexOf('\\', at);
            int end = next < 0 ? text.length() : next;
            out.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
            if (next < 0) {
                break;
            }
            if (!escape.find(next) || escape.start() != next) {
                return Optional.empty();
            }
            out.writeBytes(one(escape));
            at = escape.end();
        }
        return Optional.of(ByteString.copyOf(out.toByteArray()));
    }

    private static byte[] one(Matcher escape) {
        if (escape.group(2) != null) {
            return new byte[] {(byte) Integer.parseInt(escape.group(2), 16)};
        }
        if (escape.group(3) != null) {
            int point = Integer.parseInt(escape.group(3), 16);
            return Character.isValidCodePoint(point)
                    ? Character.toString(point).getBytes(StandardCharsets.UTF_8)
                    : escape.group().getBytes(StandardCharsets.UTF_8);
        }
        return switch (escape.group(1)) {
            case "n" -> new byte[] {'\n'};
            case "r" -> new byte[] {'\r'};
            case "t" -> new byte[] {'\t'};
            default -> new byte[] {'\\'};
        };
    }
}
