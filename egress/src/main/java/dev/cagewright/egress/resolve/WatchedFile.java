package dev.cagewright.egress.resolve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A small file of the host's, read again when it has changed. A file that is absent, unreadable or larger than 1 MiB
/// has
/// no lines.
final class WatchedFile<T> {
    private static final long MAX_BYTES = 1 << 20;

    /// A reading, and the state of the file that it was read in.
    private record Reading<T>(@Nullable Object key, FileTime changed, long size, T value) {}

    private final Path file;
    private final Function<List<String>, T> parse;
    private volatile @Nullable Reading<T> last;

    WatchedFile(Path file, Function<List<String>, T> parse) {
        this.file = file;
        this.parse = parse;
    }

    T get() {
        try {
            var now = Files.readAttributes(file, BasicFileAttributes.class);
            var known = last;
            if (known != null
                    && now.lastModifiedTime().equals(known.changed())
                    && now.size() == known.size()
                    && String.valueOf(now.fileKey()).equals(String.valueOf(known.key()))) {
                return known.value();
            }
            var value = parse.apply(now.isRegularFile() && now.size() <= MAX_BYTES ? lines() : List.of());
            last = new Reading<>(now.fileKey(), now.lastModifiedTime(), now.size(), value);
            return value;
        } catch (IOException _) {
            return parse.apply(List.of());
        }
    }

    /// One character a byte, so that no byte is an error.
    private List<String> lines() throws IOException {
        return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    }
}
