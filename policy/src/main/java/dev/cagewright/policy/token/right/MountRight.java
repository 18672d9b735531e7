package dev.cagewright.policy.token.right;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.quantity.Field;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A tree of the cage's files that may be read, or read and written: `ro:/usr/share`, `rw:/workspace`. Whole names:
/// `/work` is not around `/workspace`.
public record MountRight(Access access, GuestPath tree) {
    /// How it may be used.
    public enum Access {
        RO,
        RW
    }

    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /// Reads `ro:/path` or `rw:/path`. `%XX` stands for a byte of UTF-8 that is no visible ASCII, and for `%`.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static MountRight parse(String field, String text) {
        int colon = text.indexOf(':');
        var access = colon < 0 ? "" : text.substring(0, colon);
        if (!access.equals("ro") && !access.equals("rw")) {
            throw refusal(field, text);
        }
        try {
            return new MountRight(
                    access.equals("ro") ? Access.RO : Access.RW,
                    GuestPath.canonical(unescaped(field, text, text.substring(colon + 1))));
        } catch (IllegalArgumentException _) {
            throw refusal(field, text);
        }
    }

    private static IllegalArgumentException refusal(String field, String text) {
        return Field.refusal(field, text, "ro: or rw: and an absolute path of the cage, e.g. rw:/workspace");
    }

    private static String unescaped(String field, String text, String path) {
        var bytes = path.getBytes(StandardCharsets.UTF_8);
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
                throw refusal(field, text);
            }
            out[length++] = (byte) (high << 4 | low);
            i += 2;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    boolean reads(GuestPath path) {
        return path.isWithin(tree);
    }

    boolean writes(GuestPath path) {
        return access == Access.RW && path.isWithin(tree);
    }

    boolean covers(MountRight other) {
        return other.tree.isWithin(tree) && (access == Access.RW || other.access == Access.RO);
    }

    @Override
    public String toString() {
        var out = new StringBuilder(access.name().toLowerCase(Locale.ROOT)).append(':');
        for (byte b : tree.value().getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '%') {
                out.append((char) b);
            } else {
                out.append('%').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
            }
        }
        return out.toString();
    }
}
