package dev.cagewright.mcp.stdio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Cuts a stream of bytes into lines, none longer than a bound. A line may end in CRLF; blank ones, and the mark that
/// some writers begin UTF-8 with, are left out. What comes after the last line end counts as a line too. For one
/// thread.
public final class FrameReader {
    /// How much of a line that is too long is read past, bytes, before the stream is given up.
    public static final long MOST_SKIPPED = 64L << 20;

    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[16 << 10];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int at;
    private int end;
    private long skipped = -1;
    private boolean isBegun;

    /// @param in with bytes as they come; need not be buffered
    /// @param maxBytes how long a line may be without its end
    public FrameReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /// What comes next.
    public sealed interface Read {
        /// A line without its end.
        final class Line implements Read {
            private final byte[] bytes;

            Line(byte[] bytes) {
                this.bytes = bytes;
            }

            /// Not to be changed.
            public byte[] bytes() {
                return bytes;
            }
        }

        /// A line that is too long begins; all of it is left out.
        record TooLong() implements Read {}

        /// Nothing comes any more: the stream is at its end, or a line did not end where even skipping it does.
        record End() implements Read {}
    }

    /// The next line, when all of it is there.
    ///
    /// @throws IOException if the stream cannot be read
    public Read next() throws IOException {
        while (at < end || fills()) {
            int stop = stop();
            boolean isWhole = stop < end;
            int from = at;
            at = isWhole ? stop + 1 : stop;
            if (skipped >= 0) {
                skipped = isWhole ? -1 : skipped + stop - from;
                if (skipped > MOST_SKIPPED) {
                    return new Read.End();
                }
            } else if (line.size() + stop - from > maxBytes) {
                line.reset();
                skipped = isWhole ? -1 : 0;
                return new Read.TooLong();
            } else {
                line.write(buffer, from, stop - from);
                if (isWhole && whole() instanceof Read.Line read) {
                    return read;
                }
            }
        }
        return skipped >= 0 ? new Read.End() : whole();
    }

    private boolean fills() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer));
        return end > 0;
    }

    private int stop() {
        int stop = at;
        while (stop < end && buffer[stop] != '\n') {
            stop++;
        }
        return stop;
    }

    /// What was gathered; nothing if it is blank.
    private Read whole() {
        var bytes = line.toByteArray();
        line.reset();
        int from = isBegun || !Arrays.equals(bytes, 0, Math.min(3, bytes.length), MARK, 0, 3) ? 0 : MARK.length;
        int to = bytes.length;
        isBegun = true;
        while (from < to && isBlank(bytes[to - 1])) {
            to--;
        }
        while (from < to && isBlank(bytes[from])) {
            from++;
        }
        return from == to ? new Read.End() : new Read.Line(Arrays.copyOfRange(bytes, from, to));
    }

    private static boolean isBlank(byte one) {
        return one == ' ' || one == '\t' || one == '\r';
    }
}
