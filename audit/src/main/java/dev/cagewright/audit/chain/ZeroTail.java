package dev.cagewright.audit.chain;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The zero bytes behind a log's last line: space that its writer laid out ahead, so that a flush has no size to write.
/// They are the end of the log, and nothing else is.
public final class ZeroTail {
    /// More zeros than any writer lays out, in bytes.
    private static final long MOST = 64L << 20;

    private static final int BLOCK = 64 << 10;

    private ZeroTail() {}

    /// The offset behind the last byte that is not zero.
    ///
    /// @throws IOException if there are more zeros than any writer lays out
    public static long contentEnd(FileChannel file) throws IOException {
        long size = file.size();
        var block = ByteBuffer.allocate(BLOCK);
        for (long end = size; end > 0; end = Math.max(0, end - BLOCK)) {
            if (size - end > MOST) {
                throw new IOException("the log ends in more than " + MOST + " zero bytes, which no writer makes");
            }
            long from = Math.max(0, end - BLOCK);
            int length = read(file, block.clear().limit((int) (end - from)), from);
            for (int i = length - 1; i >= 0; i--) {
                if (block.get(i) != 0) {
                    return from + i + 1;
                }
            }
        }
        return 0;
    }

    private static int read(FileChannel file, ByteBuffer block, long from) throws IOException {
        while (block.hasRemaining() && file.read(block, from + block.position()) > 0) {}
        return block.position();
    }
}
