package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the host sees at one path: kind, mode, owner, times and content of it and of all below. Two that are equal
/// mean that nothing happened there.
///
/// @param lines one a file, in order
public record Trace(List<String> lines) {
    /// Nothing is followed; an absent path has no lines.
    public static Trace of(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return new Trace(List.of());
        }
        try (var files = Files.walk(path, 12, new FileVisitOption[0])) {
            var found = new ArrayList<String>();
            for (Path file : files.sorted().toList()) {
                found.add(path.relativize(file) + " " + describe(file));
            }
            return new Trace(List.copyOf(found));
        }
    }

    private static String describe(Path file) throws IOException {
        var attributes = Files.readAttributes(file, "unix:mode,uid,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
        var content = "";
        if (Files.isSymbolicLink(file)) {
            content = Files.readSymbolicLink(file).toString();
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            content = digest(Files.readAllBytes(file));
        }
        return attributes.get("mode") + " " + attributes.get("uid") + " " + content + userAttributes(file)
                + (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) ? "" : " " + attributes.get("lastModifiedTime"));
    }

    private static String userAttributes(Path file) throws IOException {
        var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && view != null
                        && !view.list().isEmpty()
                ? " " + view.list()
                : "";
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// What differs, for people.
    public String comparedTo(Trace before) {
        var gone = before.lines.stream().filter(line -> !lines.contains(line)).map(line -> "was " + line);
        var come = lines.stream().filter(line -> !before.lines.contains(line)).map(line -> "now " + line);
        return Stream.concat(gone, come).collect(Collectors.joining("; "));
    }
}
