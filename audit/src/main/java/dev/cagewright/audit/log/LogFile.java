package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.ZeroTail;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The log's file, open for reading and writing, and the name under which it must still be found. Used by one
/// thread at a time.
final class LogFile implements AutoCloseable {
    static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Set<PosixFilePermission> FOREIGN_WRITE =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /// How many bytes are laid out ahead at first, and at most. It doubles each time.
    private static final int FIRST_AHEAD = 64 << 10;

    private static final int MOST_AHEAD = 256 << 10;

    /// Larger batches are written where the file ends: they pay for the size with their own length.
    private static final int LARGE = 32 << 10;

    private static final Set<OpenOption> OPTIONS =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    private final Channels channels;
    private final Object identity;
    private FileChannel channel;
    private long size;
    private int ahead = FIRST_AHEAD;

    private LogFile(Path path, Channels channels, Object identity) throws IOException {
        this.path = path;
        this.channels = channels;
        this.identity = identity;
        this.channel = channels.open(path, OPTIONS);
    }

    /// Opens a log that exists.
    ///
    /// @throws IOException if it is a link or no regular file, others may write it, or it was exchanged meanwhile
    static LogFile open(Path path, Channels channels) throws IOException {
        var before = identify(path);
        var file = new LogFile(path, channels, before);
        try {
            file.stillThere();
            file.size();
            return file;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /// Creates an empty log, readable by nobody else.
    static void create(Path path) throws IOException {

        FileChannel.open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), PRIVATE_FILE)
                .close();
        forceFolder(path);
    }

    /// Makes a name in the log's folder durable.
    static void forceFolder(Path path) throws IOException {
        try (var folder = FileChannel.open(folder(path), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    FileChannel channel() {
        return channel;
    }

    /// @throws IOException if the name leads to another file by now, or to none
    void stillThere() throws IOException {
        reopenIfClosed();
        requireSame();
    }

    /// An interrupt closes the channel that the interrupted thread uses.
    void reopenIfClosed() throws IOException {
        if (!channel.isOpen()) {
            requireSame();
            channel = channels.open(path, OPTIONS);
            requireSame();
        }
    }

    private void requireSame() throws IOException {
        if (!identify(path).equals(identity)) {
            throw new IOException("audit log " + path + " was replaced while it was open");
        }
    }

    long size() throws IOException {
        size = channel.size();
        return size;
    }

    void write(ByteBuffer bytes, long at) throws IOException {
        long next = at;
        while (bytes.hasRemaining()) {
            next += channel.write(bytes, next);
        }
    }

    /// Writes lines, and in the same call lays out zeros behind them where the file ends: overwriting those needs no
    /// new
    /// size and no new block, so a flush writes data alone. Without room for it, the log goes on without.
    void append(ByteBuffer lines, long at) throws IOException {
        int length = lines.remaining();
        if (at + length <= size || length >= LARGE || ahead == 0) {
            write(lines, at);
        } else {
            appendAndLayOut(lines, at);
        }
        size = Math.max(size, at + length);
    }

    private void appendAndLayOut(ByteBuffer lines, long at) throws IOException {
        var both = ByteBuffer.allocate(lines.remaining() + ahead);
        both.put(lines.duplicate()).clear();
        try {
            write(both, at);
            size = at + both.capacity();
            ahead = Math.min(MOST_AHEAD, 2 * ahead);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException _) {
            ahead = 0;
            truncate(at);
            write(lines, at);
        }
    }

    /// The offset behind the last byte that is not zero.
    long contentEnd() throws IOException {
        return ZeroTail.contentEnd(channel);
    }

    byte[] read(long from, long to) throws IOException {
        var bytes = ByteBuffer.allocate(Math.toIntExact(to - from));
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {}
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /// `fdatasync`.
    void force() throws IOException {
        channel.force(false);
    }

    void truncate(long end) throws IOException {
        channel.truncate(end);
        size = end;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static Path folder(Path path) {
        return Objects.requireNonNull(path.getParent(), "path is absolute");
    }

    private static Object identify(Path path) throws IOException {
        var found = attributes(path);
        if (!found.isRegularFile()) {
            throw new IOException("audit log " + path + " is no regular file");
        }
        if (found.permissions().stream().anyMatch(FOREIGN_WRITE::contains)) {
            throw new IOException("audit log " + path + " may be written by others ("
                    + PosixFilePermissions.toString(found.permissions()) + "): run chmod 600 on it");
        }
        return Objects.requireNonNull(found.fileKey(), "every file of Linux has a key");
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException("audit log " + path + " has vanished", e);
        }
    }
}
