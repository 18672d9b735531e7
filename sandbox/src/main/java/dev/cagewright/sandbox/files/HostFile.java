package dev.cagewright.sandbox.files;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.kernel.DirectoryCalls;
import dev.cagewright.sandbox.kernel.FileCalls;
import dev.cagewright.sandbox.kernel.FileControl;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.Arrays;

/// An open regular file. Holes are kept as holes. The caller closes it; for one thread.
public final class HostFile implements AutoCloseable {
    private static final int BUFFER = 256 << 10;
    private static final ByteString SELF = ByteString.of("");

    private final int descriptor;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER);

    private HostFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /// Takes `descriptor` over; closes it if it is of no regular file.
    static HostFile opened(int descriptor, ByteString name) throws IOException {
        var file = new HostFile(descriptor);
        try {
            if (file.look().isFile()) {
                return file;
            }
        } catch (IOException e) {
            file.close();
            throw e;
        }
        file.close();
        throw new IOException(name + ": no regular file");
    }

    /// The file as it is now.
    public HostEntry look() throws IOException {
        return DirectoryCalls.facts(descriptor, SELF)
                .map(HostEntry::of)
                .orElseThrow(() -> new IOException("statx: an open file is not there"));
    }

    /// Takes the bytes of a file, piece by piece.
    @FunctionalInterface
    public interface Sink {
        /// One piece.
        ///
        /// @param bytes reused afterwards; only the first `count` are of the file
        void take(byte[] bytes, int count) throws IOException;
    }

    /// Gives all bytes to `sink`, from the start; a hole as zeros.
    public void drainTo(Sink sink) throws IOException {
        FileCalls.seek(descriptor, 0);
        var piece = new byte[BUFFER];
        for (int count = FileControl.read(descriptor, buffer);
                count > 0;
                count = FileControl.read(descriptor, buffer)) {
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, piece, 0, count);
            sink.take(piece, count);
        }
    }

    /// The first `most` bytes, or all when there are fewer.
    public byte[] head(int most) throws IOException {
        FileCalls.seek(descriptor, 0);
        var head = new byte[most];
        int done = 0;
        while (done < most) {
            var room = buffer.asSlice(0, Math.min(BUFFER, most - done));
            int count = FileControl.read(descriptor, room);
            if (count == 0) {
                break;
            }
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, head, done, count);
            done += count;
        }
        return done == most ? head : Arrays.copyOf(head, done);
    }

    /// Makes this file, which is new and empty, the same as `source` without copying a byte; false where the file
    /// system cannot.
    public boolean shareFrom(HostFile source) throws IOException {
        return FileCalls.share(descriptor, source.descriptor);
    }

    /// Writes all bytes of `source` into this file, which is new and empty, and gives them to `witness` too, holes as
    /// zeros.
    public void copyFrom(HostFile source, Sink witness) throws IOException {
        long size = source.look().size();
        long at = 0;
        while (at < size) {
            long data = FileCalls.nextData(source.descriptor, at, size);
            zeros(data - at, witness);
            long hole = data < size ? FileCalls.nextHole(source.descriptor, data, size) : size;
            copyRange(source, new Range(data, hole), witness);
            at = hole;
        }
        FileCalls.resize(descriptor, size);
    }

    /// Writes `bytes` where the last write ended; a new file starts at its begin.
    public void append(byte[] bytes) throws IOException {
        for (int at = 0; at < bytes.length; at += BUFFER) {
            int count = Math.min(BUFFER, bytes.length - at);
            MemorySegment.copy(bytes, at, buffer, ValueLayout.JAVA_BYTE, 0, count);
            FileControl.writeFully(descriptor, buffer.asSlice(0, count));
        }
    }

    private record Range(long from, long to) {}

    private void copyRange(HostFile source, Range range, Sink witness) throws IOException {
        FileCalls.seek(source.descriptor, range.from);
        FileCalls.seek(descriptor, range.from);
        var piece = new byte[BUFFER];
        long left = range.to - range.from;
        while (left > 0) {
            var room = buffer.asSlice(0, Math.min(BUFFER, left));
            int count = FileControl.read(source.descriptor, room);
            if (count == 0) {
                throw new IOException("read: the file became shorter while it was copied");
            }
            FileControl.writeFully(descriptor, buffer.asSlice(0, count));
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, piece, 0, count);
            witness.take(piece, count);
            left -= count;
        }
    }

    private static void zeros(long count, Sink witness) throws IOException {
        var piece = new byte[(int) Math.min(BUFFER, count)];
        for (long left = count; left > 0; left -= piece.length) {
            witness.take(piece, (int) Math.min(piece.length, left));
        }
    }

    /// Sets the permissions and the time of the last change of bytes.
    public void dress(int permissions, Instant modified) throws IOException {
        DirectoryCalls.permit(descriptor, permissions);
        FileCalls.setModified(descriptor, modified);
    }

    /// Gives it to another owner; needs privileges.
    public void give(HostEntry.Identity owner) throws IOException {
        FileCalls.give(descriptor, owner.owner(), owner.group());
    }

    /// Waits until its bytes are on the disk.
    public void flush() throws IOException {
        DirectoryCalls.flush(descriptor);
    }

    @Override
    public void close() {
        FileControl.close(descriptor);
        arena.close();
    }
}
