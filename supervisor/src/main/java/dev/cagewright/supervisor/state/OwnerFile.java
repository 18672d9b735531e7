package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/// A small file for its owner alone, mode 0600, that is replaced whole: a crash leaves the old or the new one.
public final class OwnerFile {
    private OwnerFile() {}

    /// Writes `bytes` as `file`; durable when it returns, its name too.
    ///
    /// @throws IOException if it cannot be written; what stood there before still stands, or the new one does
    ///     and may be gone after a loss of power
    public static void write(Path file, byte[] bytes) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new-" + Long.toHexString(System.nanoTime()));
        try {
            fill(fresh, ByteBuffer.wrap(bytes));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        flushName(file);
    }

    /// Makes the name of `file` durable, and whatever else was made, renamed and removed in its folder: fsync(2)
    /// of a file says nothing about its name.
    public static void flushName(Path file) throws IOException {
        var folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
        try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static void fill(Path fresh, ByteBuffer bytes) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, owner)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
    }

    /// Reads a regular file, following no link.
    ///
    /// @param most the largest that is read, bytes
    /// @throws IOException if it is larger, or cannot be read
    public static byte[] read(Path file, int most) throws IOException {
        var found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new IOException(file + ": is no regular file (expected: a file)");
        }
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            var bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new IOException(file + ": is larger than " + most + " bytes");
            }
            return bytes;
        }
    }
}
