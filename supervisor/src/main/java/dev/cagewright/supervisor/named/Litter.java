package dev.cagewright.supervisor.named;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.TreeRemoval;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A file or folder of the product's that can go, whatever is in it.
///
/// @param what it is, for people
/// @param place an absolute path in a folder of the product's own
/// @param bytes about as much as it holds, holes of files included; a lower bound for trees of more than a million
///     entries or a hundred levels
public record Litter(String what, Path place, long bytes) {
    private static final int MOST_ENTRIES = 1_000_000;
    private static final int DEPTH = 100;

    /// What is at a place now; no link is followed.
    public static Litter at(String what, Path place) {
        return new Litter(what, place, size(place));
    }

    private static long size(Path place) {
        var sum = new Sum();
        try {
            Files.walkFileTree(place, Set.of(), DEPTH, sum);
        } catch (IOException _) {
            return sum.bytes; // it changes or is shut; that it goes is what counts
        }
        return sum.bytes;
    }

    private static final class Sum extends SimpleFileVisitor<Path> implements FileVisitor<Path> {
        private long bytes;
        private int entries;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes += attributes.isRegularFile() ? attributes.size() : 0;
            entries++;
            return entries < MOST_ENTRIES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why) {
            return FileVisitResult.CONTINUE;
        }
    }

    /// Removes it; nothing is followed, and nothing that is shut or deep is in the way.
    ///
    /// @throws IOException if something of it cannot be removed; the rest may be gone
    public void remove() throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(place);
            return;
        }
        var above = Objects.requireNonNull(place.getParent(), "a root folder (expected: one of the product's)");
        var name = ByteString.of(String.valueOf(place.getFileName()));
        try (var holding = HostFolder.open(ByteString.of(above.toString()))) {
            holding.permit(name, 0700);
            try (var folder = holding.folder(name).orElseThrow(() -> new IOException(place + ": is no folder"))) {
                TreeRemoval.clear(folder);
            }
            holding.removeFolder(name);
        }
    }
}
