package dev.cagewright.audit.read;

import dev.cagewright.audit.event.LineFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the lines of a file from its end, block by block. Not safe for several threads.
final class BackwardScanner {
    private static final int BLOCK = 256 << 10;

    private final FileChannel file;
    private byte[] block = new byte[0];
    private long blockStart;
    private int end;

    /// @param size where to start, in bytes; what stands behind the last line end before it is left out
    BackwardScanner(FileChannel file, long size) throws IOException {
        this.file = file;
        this.blockStart = size;
        nextOrNull();
    }

    /// The offset behind the line end of the line that [#nextOrNull] will return.
    long offset() {
        return end < 0 ? 0 : blockStart + end + 1;
    }

    /// The line above the one returned last, without its line end, or null at the start of the file.
    byte @Nullable [] nextOrNull() throws IOException {
        int from = end;
        while (true) {
            while (from > 0 && block[from - 1] != '\n') {
                from--;
            }
            if (from > 0) {
                var line = Arrays.copyOfRange(block, from, end);
                end = from - 1;
                return line;
            }
            if (blockStart == 0) {
                return firstOrNull();
            }
            from = extend();
        }
    }

    private byte @Nullable [] firstOrNull() {
        if (end < 0) {
            return null;
        }
        var line = Arrays.copyOfRange(block, 0, end);
        end = -1;
        return line;
    }

    /// Puts the block before this one in front of what is left of it. Returns its length.
    private int extend() throws IOException {
        if (end > 2 * LineFormat.MAX_LINE) {
            throw new IOException(
                    "byte " + blockStart + ": no line end within " + end + " bytes: this is no audit log");
        }
        int more = (int) Math.min(BLOCK, blockStart);
        var joined = new byte[more + end];
        System.arraycopy(block, 0, joined, more, end);
        var room = ByteBuffer.wrap(joined, 0, more);
        while (room.hasRemaining()) {
            if (file.read(room, blockStart - more + room.position()) < 0) {
                throw new IOException("the log was cut while it was read");
            }
        }
        block = joined;
        blockStart -= more;
        end += more;
        return more;
    }
}
