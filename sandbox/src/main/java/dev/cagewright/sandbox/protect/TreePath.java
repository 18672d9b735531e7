package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A path below the workspace, canonical, `""` for the workspace itself. Holds one char for each byte of the
/// names, so it is lossless whatever the locale's charset.
record TreePath(String latin1) implements Comparable<TreePath> {
    static final TreePath TOP = new TreePath("");
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    /// The bytes of the last name of `path`, an absolute one: `toString` would decode them.
    static String nameOf(Path path) {
        var text = String.valueOf(path.getFileName());
        return isAscii(text) ? text : lastOf(latin1Of(path));
    }

    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static String lastOf(String latin1) {
        return latin1.substring(latin1.lastIndexOf('/') + 1);
    }

    /// The bytes of `path`, an absolute one.
    static String latin1Of(Path path) {
        var text = path.toString();
        if (isAscii(text)) {
            return text;
        }
        var encoded = path.toUri().getRawPath();
        var decoded = unescape(encoded);
        return decoded.length() > 1 && decoded.endsWith("/") ? decoded.substring(0, decoded.length() - 1) : decoded;
    }

    private static String unescape(String encoded) {
        var out = new StringBuilder(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.charAt(i) == '%') {
                out.append((char) Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                out.append(encoded.charAt(i));
            }
        }
        return out.toString();
    }

    /// The host's path of this one below `root`, byte for byte.
    Path on(Path root) {
        if (latin1.isEmpty()) {
            return root;
        }
        if (isAscii(latin1)) {
            return root.resolve(latin1);
        }
        var top = latin1Of(root);
        var bytes = ((top.equals("/") ? "" : top) + "/" + latin1).getBytes(StandardCharsets.ISO_8859_1);
        return pathOf(bytes);
    }

    /// The absolute path of exactly these bytes.
    static Path pathOf(byte[] bytes) {
        var uri = new StringBuilder("file://");
        for (byte b : bytes) {
            if (b == '/' || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9')) {
                uri.append((char) b);
            } else {
                uri.append('%').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
            }
        }
        return Path.of(URI.create(uri.toString()));
    }

    TreePath child(String name) {
        return new TreePath(latin1.isEmpty() ? name : latin1 + "/" + name);
    }

    /// The path that `text`, relative or absolute, means seen from here in a workspace at `root`; empty if that
    /// is not in the workspace. By text only.
    Optional<TreePath> resolve(Path root, String text) {
        var top = latin1Of(root);
        var whole = text.startsWith("/") ? text : top + "/" + latin1 + "/" + text;
        var names = new ArrayDeque<String>();
        for (String name : whole.split("/", -1)) {
            switch (name) {
                case "", "." -> {}
                case ".." -> names.pollLast();
                default -> names.addLast(name);
            }
        }
        var absolute = "/" + String.join("/", names);
        var prefix = top.equals("/") ? "/" : top + "/";
        if (absolute.equals(top)) {
            return Optional.of(TOP);
        }
        return absolute.startsWith(prefix)
                ? Optional.of(new TreePath(absolute.substring(prefix.length())))
                : Optional.empty();
    }

    /// What a link says, for a workspace at `root`.
    record Within(Path root, String text) {}

    Optional<TreePath> resolveIn(Within link) {
        return resolve(link.root, link.text);
    }

    TreePath parent() {
        int slash = latin1.lastIndexOf('/');
        return slash < 0 ? TOP : new TreePath(latin1.substring(0, slash));
    }

    String name() {
        return lastOf(latin1);
    }

    List<String> names() {
        return latin1.isEmpty() ? List.of() : Arrays.asList(latin1.split("/", -1));
    }

    boolean isTop() {
        return latin1.isEmpty();
    }

    int depth() {
        return names().size();
    }

    ByteString bytes() {
        return ByteString.copyOf(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public int compareTo(TreePath other) {
        return latin1.compareTo(other.latin1);
    }

    @Override
    public String toString() {
        return latin1.isEmpty() ? "." : bytes().printable();
    }
}
