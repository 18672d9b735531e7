package dev.cagewright.sandbox.conformance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Everything a directory is, but for access times: names, kinds, bytes, numbers of links, owners,
/// permissions, times of change to the nanosecond, link texts, extended attributes of users.
public final class Manifest {
    private static final String FACTS = "unix:mode,ino,nlink,uid,gid,size,lastModifiedTime,ctime";

    private Manifest() {}

    /// A line for each path below `root`, itself included.
    public static SortedMap<String, String> of(Path root) throws IOException {
        var lines = new TreeMap<String, String>();
        try (Stream<Path> tree = Files.walk(root)) {
            for (var path : (Iterable<Path>) tree::iterator) {
                lines.put(root.relativize(path).toString(), line(path));
            }
        }
        return lines;
    }

    private static String line(Path path) throws IOException {
        var facts = new TreeMap<>(Files.readAttributes(path, FACTS, LinkOption.NOFOLLOW_LINKS));
        if (Files.isSymbolicLink(path)) {
            return facts + " -> " + Files.readSymbolicLink(path);
        }
        if (Files.isRegularFile(path)) {
            return facts + " " + digest(path) + attributes(path);
        }
        return facts + (Files.isDirectory(path) ? attributes(path) : "");
    }

    private static String digest(Path file) throws IOException {
        try {
            var sha256 = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha256.digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String attributes(Path path) throws IOException {
        var view = Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
        var found = new StringBuilder();
        for (var name : view.list()) {
            var value = ByteBuffer.allocate(view.size(name));
            view.read(name, value);
            found.append(' ').append(name).append('=').append(HexFormat.of().formatHex(value.array()));
        }
        return found.toString();
    }
}
