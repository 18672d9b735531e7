package dev.cagewright.sandbox.files;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A path below some directory, canonical: names that are not empty, `.` or `..`, without NUL, between single
/// slashes; no name at all is the directory itself. Ordered by bytes, so that a directory comes before what is in it.
public record RelativePath(ByteString bytes) implements Comparable<RelativePath> {
    /// The directory itself.
    public static final RelativePath TOP = new RelativePath(ByteString.of(""));

    public RelativePath {
        for (String name : bytes.latin1().split("/", -1)) {
            boolean isBad = name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0;
            if (bytes.size() > 0 && isBad) {
                throw new IllegalArgumentException("path: " + bytes + " (expected: relative, without . and ..)");
            }
        }
    }

    /// The path that a person wrote: `./a//b/` is `a/b`.
    ///
    /// @throws IllegalArgumentException if it is absolute or has `..` in it
    public static RelativePath written(ByteString text) {
        if (text.size() > 0 && text.at(0) == '/') {
            throw new IllegalArgumentException("path: " + text + " (expected: relative to the workspace)");
        }
        var names = Arrays.stream(text.latin1().split("/", -1))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
        return new RelativePath(ofLatin1(String.join("/", names)));
    }

    private static ByteString ofLatin1(String text) {
        return ByteString.copyOf(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// `name` in the directory at this path.
    public RelativePath child(ByteString name) {
        return new RelativePath(isTop() ? name : ofLatin1(bytes.latin1() + "/" + name.latin1()));
    }

    public boolean isTop() {
        return bytes.size() == 0;
    }

    /// Where the last name stands; the directory itself for a single name.
    public RelativePath parent() {
        var text = bytes.latin1();
        int slash = text.lastIndexOf('/');
        return slash < 0 ? TOP : new RelativePath(ofLatin1(text.substring(0, slash)));
    }

    /// The last name; empty for the directory itself.
    public ByteString name() {
        var text = bytes.latin1();
        return ofLatin1(text.substring(text.lastIndexOf('/') + 1));
    }

    /// All names as bytes in chars, `U+0000..U+00FF`.
    public List<String> names() {
        return isTop() ? List.of() : Arrays.asList(bytes.latin1().split("/", -1));
    }

    /// Is this path `other` or below it?
    public boolean isWithin(RelativePath other) {
        return other.isTop() || bytes.equals(other.bytes) || bytes.latin1().startsWith(other.bytes.latin1() + "/");
    }

    @Override
    public int compareTo(RelativePath other) {
        return bytes.compareTo(other.bytes);
    }

    /// Safe on a terminal, one line.
    @Override
    public String toString() {
        return isTop() ? "." : bytes.printable();
    }
}
