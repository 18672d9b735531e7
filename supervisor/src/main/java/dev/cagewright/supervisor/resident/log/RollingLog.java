package dev.cagewright.supervisor.resident.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A file that is added to, and that begins anew when it has [#MOST] bytes; the one before stays beside it, with `.1`
/// at
/// its name's end. 0600, in a folder that only the person may write. Safe for all threads.
public final class RollingLog extends OutputStream {
    /// The most that one file has.
    public static final long MOST = 1 << 20;

    /// Within a cage's state: what its own program writes.
    public static final String NAME = "log";

    private final Path file;
    private FileChannel channel;
    private long size;

    private RollingLog(Path file) throws IOException {
        this.file = file;
        this.channel = opened(file);
        this.size = channel.size();
    }

    /// Goes on with `file`, made where it is absent.
    public static RollingLog open(Path file) throws IOException {
        return new RollingLog(file);
    }

    /// The file before `file`.
    public static Path before(Path file) {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    private static FileChannel opened(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) throws IOException {
        if (size > 0 && size + count > MOST) {
            channel.close();
            Files.move(file, before(file), StandardCopyOption.REPLACE_EXISTING);
            channel = opened(file);
            size = 0;
        }
        var rest = ByteBuffer.wrap(bytes, from, count);
        while (rest.hasRemaining()) {
            size += channel.write(rest);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
