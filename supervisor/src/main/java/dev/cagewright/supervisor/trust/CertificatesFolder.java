package dev.cagewright.supervisor.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;

/// A copy of the host's folder of certificates, links as links, to stand in the cage at the same place.
final class CertificatesFolder {
    private static final int MOST_ENTRIES = 8_192;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int DEEPEST = 3;
    private static final String OWN = "cagewright.pem";

    private final Path source;
    private final Path copy;
    private int entries;

    private CertificatesFolder(Path source, Path copy) {
        this.source = source;
        this.copy = copy;
    }

    /// Copies `source` to `copy`, which is not there yet.
    ///
    /// @throws IOException if it cannot be copied, or has more than 8,192 entries
    static CertificatesFolder copied(Path source, Path copy) throws IOException {
        var folder = new CertificatesFolder(source, copy);
        folder.copy(source, copy, 1);
        return folder;
    }

    private void copy(Path from, Path to, int depth) throws IOException {
        Modes.folder(to);
        try (var children = Files.newDirectoryStream(from)) {
            for (Path child : children) {
                if (++entries > MOST_ENTRIES) {
                    throw new IOException(source + ": more than " + MOST_ENTRIES + " entries (expected: certificates)");
                }
                var target = to.resolve(from.relativize(child));
                if (Files.isSymbolicLink(child)) {
                    Files.createSymbolicLink(target, Files.readSymbolicLink(child));
                } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS) && depth < DEEPEST) {
                    copy(child, target, depth + 1);
                } else if (isReadableFile(child)) {
                    Modes.file(target, Files.readAllBytes(child));
                }
            }
        }
    }

    private static boolean isReadableFile(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.isReadable(file)
                && Files.size(file) <= MOST_BYTES;
    }

    /// Puts `content` at each of the places that are in this folder.
    void replace(Set<Path> places, byte[] content) throws IOException {
        for (Path place : places) {
            if (holds(place)) {
                var target = copy.resolve(source.relativize(place));
                Files.deleteIfExists(target);
                Modes.file(target, content);
            }
        }
    }

    boolean holds(Path place) {
        return place.startsWith(source);
    }

    /// Adds a certificate under the name that OpenSSL looks for.
    void add(byte[] pem, String hash) throws IOException {
        Files.deleteIfExists(copy.resolve(OWN));
        Modes.file(copy.resolve(OWN), pem);
        for (int i = 0; ; i++) {
            var link = copy.resolve(hash + "." + i);
            if (Files.notExists(link, LinkOption.NOFOLLOW_LINKS)) {
                Files.createSymbolicLink(link, Path.of(OWN));
                return;
            }
        }
    }
}
