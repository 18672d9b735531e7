package dev.cagewright.policy.token.right;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Text as visible ASCII: `%XX` stands for a byte of UTF-8 that is none, and for `%` (RFC 3986, section 2.1).
final class PercentEncoding {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private PercentEncoding() {}

    /// @param reserved visible characters that are written as `%XX`, too
    static String of(String text, String reserved) {
        var out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '%' && reserved.indexOf(b) < 0) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
            }
        }
        return out.toString();
    }

    /// What `text` stands for; empty where a `%` has no two digits behind it.
    static Optional<String> decoded(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out[length++] = bytes[i];
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            out[length++] = (byte) (high << 4 | low);
            i += 2;
        }
        return Optional.of(new String(out, 0, length, StandardCharsets.UTF_8));
    }
}
