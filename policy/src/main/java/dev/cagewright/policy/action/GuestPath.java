package dev.cagewright.policy.action;

import java.util.ArrayDeque;

/// A canonical absolute path as the workload sees it, e.g. `/workspace/src`. A string on purpose:
/// `java.nio.file.Path` belongs to the host's file system and may touch it. Paths whose bytes are not
/// UTF-8 do not fit in here and are refused before.
public record GuestPath(String value) {
    public GuestPath {
        if (!isCanonical(value)) {
            throw new IllegalArgumentException(
                    "guest path: " + ByteString.of(value) + " (expected: absolute, canonical, no NUL)");
        }
    }

    /// Resolves `.`, `..` and repeated slashes by text, as for a tree without links. `..` above the
    /// root stays at the root, as in the kernel.
    ///
    /// @throws IllegalArgumentException if `text` is not absolute or contains NUL
    public static GuestPath canonical(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("guest path: " + ByteString.of(text) + " (expected: absolute)");
        }
        var names = new ArrayDeque<String>();
        for (String name : text.split("/", -1)) {
            switch (name) {
                case "", "." -> {}
                case ".." -> names.pollLast();
                default -> names.addLast(name);
            }
        }
        return new GuestPath("/" + String.join("/", names));
    }

    private static boolean isCanonical(String value) {
        if (value.equals("/")) {
            return true;
        }
        if (!value.startsWith("/") || value.endsWith("/") || value.indexOf('\0') >= 0) {
            return false;
        }
        for (String name : value.substring(1).split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                return false;
            }
        }
        return true;
    }

    /// Is this path `tree` itself or below it? Whole names: `/workspace2` is not below `/workspace`.
    public boolean isWithin(GuestPath tree) {
        return value.equals(tree.value) || value.startsWith(tree.value.equals("/") ? "/" : tree.value + "/");
    }

    /// The path `name` below this one; `name` may have several components.
    public GuestPath child(String name) {
        return canonical(value + "/" + name);
    }

    @Override
    public String toString() {
        return value;
    }
}
