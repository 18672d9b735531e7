package dev.cagewright.audit.chain;

import dev.cagewright.audit.event.LineFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the lines of a file from an offset on, with positioned reads and one block of memory. The end of the file is
/// not final: more lines may be found later. Not safe for several threads.
public final class LineScanner {
    private static final int BLOCK = 256 << 10;

    private final FileChannel file;
    private byte[] block = new byte[BLOCK];
    private int from;
    private int scanned;
    private int to;
    private long offset;

    /// Starts at a line.
    ///
    /// @param file is not closed by this object
    /// @param offset of a line's first byte
    public LineScanner(FileChannel file, long offset) {
        this.file = file;
        this.offset = offset;
    }

    /// The next line without its line end, or null at the end of the file or at a zero byte, which no line has; [#rest]
    /// may then hold the start of a line. What stands there is read again by the next call.
    /// A line longer than a log's line can be is returned cut behind that bound, so that no parser takes it.
    public byte @Nullable [] nextOrNull() throws IOException {
        while (true) {
            while (scanned < to) {
                byte next = block[scanned];
                if (next == 0) {
                    to = scanned;
                    return null;
                }
                scanned++;
                if (next == '\n') {
                    return take(scanned - 1);
                }
            }
            if (to - from > LineFormat.MAX_LINE) {
                return take(to);
            }
            if (!fill()) {
                return null;
            }
        }
    }

    /// The bytes behind the last line end, as far as they were read.
    public byte[] rest() {
        return Arrays.copyOfRange(block, from, to);
    }

    /// The offset of the first byte that was not returned as a line yet.
    public long offset() {
        return offset;
    }

    private byte[] take(int end) {
        var line = Arrays.copyOfRange(block, from, end);
        offset += scanned - from;
        from = scanned;
        return line;
    }

    private boolean fill() throws IOException {
        if (from > 0) {
            System.arraycopy(block, from, block, 0, to - from);
            to -= from;
            scanned -= from;
            from = 0;
        }
        if (to == block.length) {
            block = Arrays.copyOf(block, 2 * block.length);
        }
        int count = file.read(ByteBuffer.wrap(block, to, block.length - to), offset + to);
        if (count <= 0) {
            return false;
        }
        to += count;
        return true;
    }
}
