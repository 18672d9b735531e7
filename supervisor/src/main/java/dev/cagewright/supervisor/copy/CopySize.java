package dev.cagewright.supervisor.copy;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much the layers of a session hold at one moment.
///
/// @param bytes the sizes of all files
record CopySize(long bytes, long entries) {
    /// Walks below every one of `tops`, which themselves are not counted, until the walk is over or `quota` is passed.
    static CopySize of(List<Path> tops, CopyQuota quota) throws IOException {
        var walk = new Walk(tops, quota);
        for (Path top : tops) {
            Files.walkFileTree(top, walk);
        }
        return walk.sum();
    }

    boolean isOver(CopyQuota quota) {
        return isOverBytes(quota) || entries > quota.entries();
    }

    boolean isOverBytes(CopyQuota quota) {
        return bytes > quota.bytes();
    }

    private static final class Walk extends SimpleFileVisitor<Path> {
        private final List<Path> tops;
        private final CopyQuota quota;
        private long bytes;
        private long entries;

        Walk(List<Path> tops, CopyQuota quota) {
            this.tops = tops;
            this.quota = quota;
        }

        CopySize sum() {
            return new CopySize(bytes, entries);
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return tops.contains(directory) ? FileVisitResult.CONTINUE : count(0);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return count(attributes.isRegularFile() ? attributes.size() : 0);
        }

        private FileVisitResult count(long size) {
            entries++;
            bytes += size;
            return sum().isOver(quota) ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        /// What is gone meanwhile is not there; what cannot be looked into counts as one.
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return e instanceof NoSuchFileException ? FileVisitResult.CONTINUE : count(0);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
