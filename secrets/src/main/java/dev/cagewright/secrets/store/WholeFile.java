package dev.cagewright.secrets.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A file that is read and replaced whole, mode 0600. One writer at a time.
final class WholeFile {
    private final Path file;
    private final int most;

    /// @param most the largest it may be, bytes
    WholeFile(Path file, int most) {
        this.file = file;
        this.most = most;
    }

    /// The bytes; empty if there is no such file.
    Optional<byte[]> read() throws IOException {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new StoreException(file + ": is no regular file (expected: a file; move it away)");
            }
            try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                var bytes = in.readNBytes(most + 1);
                if (bytes.length > most) {
                    throw new StoreException(
                            file + ": has more than " + most + " bytes (expected: fewer; move it" + " away)");
                }
                return Optional.of(bytes);
            }
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(
                    file + ": cannot be read: " + reason(e) + " (make it readable for you; nothing was changed)", e);
        }
    }

    /// Replaces it; durable when this returns, its name too.
    void write(byte[] bytes) throws StoreException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            if (bytes.length > most) {
                throw new StoreException(file + ": would have more than " + most
                        + " bytes (remove secrets or earlier versions first; nothing was changed)");
            }
            Files.deleteIfExists(fresh);
            fill(fresh, ByteBuffer.wrap(bytes));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (var names = FileChannel.open(Objects.requireNonNull(file.getParent()), StandardOpenOption.READ)) {
                names.force(true);
            }
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            dropped(fresh);
            throw new StoreException(
                    file + ": cannot be written: " + reason(e) + " (what was stored before still is)", e);
        }
    }

    private static void dropped(Path fresh) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException _) {
            return; // the next writer takes it away
        }
    }

    private static void fill(Path fresh, ByteBuffer bytes) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, owner)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /// The kernel's words, without the file's name before them.
    private static String reason(IOException e) {
        return e instanceof AccessDeniedException ? "Permission denied" : String.valueOf(e.getMessage());
    }
}
