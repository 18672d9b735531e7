package dev.cagewright.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The control groups that this process has made, in whatever hierarchies are mounted.
final class OwnGroups {
    private static final int DEPTH = 8;

    private OwnGroups() {}

    /// Groups of others come and go while this looks.
    static List<Path> now() throws IOException {
        var mine = "cagewright-" + ProcessHandle.current().pid() + "-";
        var found = new ArrayList<Path>();
        for (var line : Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            if (line.contains(" - cgroup")) {
                var root = Path.of(line.split(" ", -1)[4]);
                Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), DEPTH, new Walk(mine, found));
            }
        }
        return found;
    }

    private static final class Walk extends SimpleFileVisitor<Path> {
        private final String prefix;
        private final List<Path> found;

        Walk(String prefix, List<Path> found) {
            this.prefix = prefix;
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (String.valueOf(folder.getFileName()).startsWith(prefix)) {
                found.add(folder);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) {
            return FileVisitResult.CONTINUE;
        }
    }
}
