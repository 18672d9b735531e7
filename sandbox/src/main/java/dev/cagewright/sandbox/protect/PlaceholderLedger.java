package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// The list of all placeholders of all sessions of one person, on disk before any of them stands. Held under a lock
/// between processes while it is open; written whole, synced and renamed. Lengths before bytes, so names may hold
/// anything.
final class PlaceholderLedger implements Closeable {
    /// @param owner which process holds it
    record Line(String session, Owner owner, ByteString workspace, ByteString path, Filler filler) {
        boolean isSamePlace(Line other) {
            return workspace.equals(other.workspace) && path.equals(other.path);
        }
    }

    /// A process, told apart from a later one with the same number.
    ///
    /// @param pid as this process sees it
    /// @param started in clock ticks since boot, field 22 of `/proc/<pid>/stat` (proc(5))
    record Owner(long pid, long started) {
        private static final int STARTED_AFTER_NAME = 19;

        static Owner self() {
            long pid = ProcessHandle.current().pid();
            return new Owner(pid, startOf(pid));
        }

        boolean isAlive() {
            return startOf(pid) == started;
        }

        /// -1 if there is no such process.
        private static long startOf(long pid) {
            try {
                var stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
                // The name in brackets may hold anything, so count from its end.
                var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                return Long.parseLong(fields[STARTED_AFTER_NAME]);
            } catch (IOException | RuntimeException _) {
                return -1;
            }
        }
    }

    private static final int MAGIC = 0x43575032;
    private static final int LINE_LIMIT = 100_000;
    private static final int NAME_LIMIT = 1 << 16;
    private static final ReentrantLock ONE_IN_THIS_PROCESS = new ReentrantLock();

    private final Path file;
    private final FileChannel channel;
    private final FileLock lock;
    private final List<Line> lines;

    private PlaceholderLedger(Path file, FileChannel channel, FileLock lock, List<Line> lines) {
        this.file = file;
        this.channel = channel;
        this.lock = lock;
        this.lines = lines;
    }

    /// Opens the ledger in `folder`, which is made (0700) if needed; waits for others.
    ///
    /// @throws IOException if it cannot be locked or read; then no placeholder may be made or removed
    static PlaceholderLedger open(Path folder) throws IOException {
        ONE_IN_THIS_PROCESS.lock();
        try {
            return openLocked(folder);
        } catch (IOException | RuntimeException e) {
            ONE_IN_THIS_PROCESS.unlock();
            throw e;
        }
    }

    private static PlaceholderLedger openLocked(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        var channel = FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            var lock = channel.lock();
            var file = folder.resolve("placeholders");
            return new PlaceholderLedger(file, channel, lock, read(file));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static List<Line> read(Path file) throws IOException {
        var lines = new ArrayList<Line>();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return lines;
        }
        try (var in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            int count = in.readInt() == MAGIC ? in.readInt() : -1;
            if (count < 0 || count > LINE_LIMIT) {
                throw new IOException(file + ": not a list of placeholders; look at it and delete it");
            }
            for (int i = 0; i < count; i++) {
                lines.add(new Line(
                        in.readUTF(),
                        new Owner(in.readLong(), in.readLong()),
                        bytes(in),
                        bytes(in),
                        Filler.valueOf(in.readUTF())));
            }
        } catch (IllegalArgumentException | EOFException e) {
            throw new IOException(file + ": not a list of placeholders; look at it and delete it", e);
        }
        return lines;
    }

    private static ByteString bytes(DataInputStream in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > NAME_LIMIT) {
            throw new IOException("placeholder name: " + size + " bytes (expected: at most " + NAME_LIMIT + ")");
        }
        var name = in.readNBytes(size);
        if (name.length < size) {
            throw new EOFException("placeholder name");
        }
        return ByteString.copyOf(name);
    }

    List<Line> lines() {
        return List.copyOf(lines);
    }

    /// Replaces the list; when this returns it is on the disk.
    void write(List<Line> changed) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(changed.size());
        for (Line line : changed) {
            out.writeUTF(line.session);
            out.writeLong(line.owner.pid());
            out.writeLong(line.owner.started());
            write(out, line.workspace);
            write(out, line.path);
            out.writeUTF(line.filler.name());
        }
        var next = file.resolveSibling("placeholders.next");
        try (var writing = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var buffer = ByteBuffer.wrap(bytes.toByteArray());
            while (buffer.hasRemaining()) {
                writing.write(buffer);
            }
            writing.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        flushNames();
        lines.clear();
        lines.addAll(changed);
    }

    private void flushNames() throws IOException {
        try (var names = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static void write(DataOutputStream out, ByteString bytes) throws IOException {
        out.writeInt(bytes.size());
        out.write(bytes.toByteArray());
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            lock.release();
        } finally {
            ONE_IN_THIS_PROCESS.unlock();
        }
    }
}
