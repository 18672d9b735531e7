package dev.cagewright.supervisor.budget;

import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/// One number in a file of its own that several processes have in memory at once. The file is 4096 bytes: a mark, the
/// number at byte 64, what it counts from byte 128. It is never made smaller or replaced, so everybody has the same
/// one; what is not whole is an error and never a smaller number. Whoever opens it closes it.
final class CountFile implements AutoCloseable {
    private static final byte[] MARK = "cagewright budget 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int SIZE = 4096;
    private static final int NUMBER = 64;
    private static final int KEY = 128;

    /// The longest text of what is counted, bytes.
    static final int MOST_KEY = SIZE - KEY;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final FileChannel channel;
    private final MappedByteBuffer bytes;

    private CountFile(Path path, FileChannel channel, MappedByteBuffer bytes) {
        this.path = path;
        this.channel = channel;
        this.bytes = bytes;
    }

    /// Opens the count of `key` at `path`, or begins it at 0, once for all who come at the same moment.
    ///
    /// @param key what is counted, in UTF-8 of at most 3968 bytes
    /// @throws IOException if it cannot be had, is not whole, or counts something else
    static CountFile open(Path path, byte[] key) throws IOException {
        if (key.length > MOST_KEY) {
            throw new IOException(
                    "budget count: what it counts is " + key.length + " bytes (expected: at most " + MOST_KEY + ")");
        }
        var whole = image(key);
        try {
            return existing(path, whole);
        } catch (NoSuchFileException _) {
            begin(path, whole);
            return existing(path, whole);
        }
    }

    private static byte[] image(byte[] key) {
        return ByteBuffer.allocate(SIZE).put(MARK).put(KEY, key).array();
    }

    private static void begin(Path path, byte[] whole) throws IOException {
        var fresh = path.resolveSibling(path.getFileName() + ".new-" + Long.toHexString(System.nanoTime()));
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, owner)) {
            var left = ByteBuffer.wrap(whole);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
            Files.createLink(path, fresh);
        } catch (FileAlreadyExistsException _) {
            return; // somebody else has begun it; what it is comes next
        } finally {
            Files.deleteIfExists(fresh);
        }
        OwnerFile.flushName(path);
    }

    private static CountFile existing(Path path, byte[] whole) throws IOException {
        var options = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var channel = FileChannel.open(path, options);
        try {
            check(path, channel, whole);
            return new CountFile(path, channel, channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void check(Path path, FileChannel channel, byte[] whole) throws IOException {
        var read = ByteBuffer.allocate(SIZE + 1);
        while (read.hasRemaining() && channel.read(read, read.position()) >= 0) {
            // until it is full or the file is at its end
        }
        boolean isWhole = read.position() == SIZE
                && Arrays.equals(read.array(), 0, NUMBER, whole, 0, NUMBER)
                && Arrays.equals(read.array(), NUMBER + Long.BYTES, SIZE, whole, NUMBER + Long.BYTES, SIZE)
                && read.order(ByteOrder.LITTLE_ENDIAN).getLong(NUMBER) >= 0;
        if (!isWhole) {
            throw new IOException("budget count: " + path
                    + " is not whole or counts something else (expected: as it was written; remove it to begin at 0)");
        }
    }

    long get() {
        return (long) LONGS.getVolatile(bytes, NUMBER);
    }

    /// Puts `next` in the place of `expected`, all at once, if that is what stands there.
    boolean replace(long expected, long next) {
        return LONGS.compareAndSet(bytes, NUMBER, expected, next);
    }

    /// Makes the number durable.
    void flush() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return "budget count " + path;
    }
}
