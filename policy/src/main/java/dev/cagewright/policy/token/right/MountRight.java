package dev.cagewright.policy.token.right;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.quantity.Field;
import java.util.Locale;

/// A tree of the cage's files that may be read, or read and written: `ro:/usr/share`, `rw:/workspace`. Whole names:
/// `/work` is not around `/workspace`.
public record MountRight(Access access, GuestPath tree) {
    /// How it may be used.
    public enum Access {
        RO,
        RW
    }

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
                    GuestPath.canonical(PercentEncoding.decoded(text.substring(colon + 1))
                            .orElseThrow(() -> refusal(field, text))));
        } catch (IllegalArgumentException _) {
            throw refusal(field, text);
        }
    }

    private static IllegalArgumentException refusal(String field, String text) {
        return Field.refusal(field, text, "ro: or rw: and an absolute path of the cage, e.g. rw:/workspace");
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
        return access.name().toLowerCase(Locale.ROOT) + ":" + PercentEncoding.of(tree.value(), "");
    }
}
