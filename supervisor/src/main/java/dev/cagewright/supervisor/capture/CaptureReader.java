package dev.cagewright.supervisor.capture;

import dev.cagewright.audit.json.Json;
import dev.cagewright.egress.capture.Piece;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a session's capture, also while it is written, and one that ends in the middle of a line: whatever is whole is
/// read. Holds where the lines of each exchange are, and one exchange at a time. For one thread.
public final class CaptureReader implements AutoCloseable {
    /// How each line of an exchange begins.
    private static final String START = "{\"n\":";

    private final FileChannel file;
    private final Map<Long, Lines> exchanges = new LinkedHashMap<>();
    private long cut;
    private long unread;

    private CaptureReader(FileChannel file) {
        this.file = file;
    }

    /// Where the lines of one exchange are.
    private static final class Lines {
        private long[] spans = new long[8];
        private int count;

        void add(long offset, long length) {
            if (count + 2 > spans.length) {
                spans = Arrays.copyOf(spans, 2 * spans.length);
            }
            spans[count++] = offset;
            spans[count++] = length;
        }
    }

    /// Hears of each exchange.
    @FunctionalInterface
    public interface Listener {
        void exchange(KeptExchange exchange) throws IOException;
    }

    /// Opens the capture in a session's folder; empty when there is none.
    public static Optional<CaptureReader> open(Path folder) throws IOException {
        FileChannel file;
        try {
            var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            file = FileChannel.open(folder.resolve(CaptureFile.NAME), options);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
        var reader = new CaptureReader(file);
        try {
            reader.index();
            return Optional.of(reader);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void index() throws IOException {
        var in = new BufferedInputStream(Channels.newInputStream(file), 1 << 18);
        var start = new byte[START.length() + 20];
        long offset = 0;
        while (true) {
            long length = line(in, start);
            if (length < 0) {
                cut = -length - 1;
                return;
            }
            var lines = number(start);
            if (lines != null) {
                exchanges.computeIfAbsent(lines, _ -> new Lines()).add(offset, length);
            } else if (offset > 0) {
                unread++;
            }
            offset += length + 1;
        }
    }

    /// The length of the next line, whose begin goes into `start`; of a line without an end, -1 and its length less.
    private static long line(InputStream in, byte[] start) throws IOException {
        Arrays.fill(start, (byte) 0);
        long length = 0;
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                return -length - 1;
            }
            if (length < start.length) {
                start[(int) length] = (byte) b;
            }
            length++;
        }
        return length;
    }

    private static @Nullable Long number(byte[] start) {
        var text = new String(start, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(',');
        if (!text.startsWith(START) || end < 0) {
            return null;
        }
        var digits = text.substring(START.length(), end);
        return digits.matches("[0-9]{1,18}") ? Long.valueOf(digits) : null;
    }

    /// Reads the exchanges, in the order in which they began.
    ///
    /// @throws IOException if the file cannot be read, or `listener` throws it
    public void each(Listener listener) throws IOException {
        for (Lines lines : exchanges.values()) {
            var exchange = exchange(lines);
            if (exchange.isPresent()) {
                listener.exchange(exchange.get());
            }
        }
    }

    private Optional<KeptExchange> exchange(Lines lines) throws IOException {
        @Nullable KeptExchange exchange = null;
        for (int i = 0; i < lines.count; i += 2) {
            var piece = piece(lines.spans[i], lines.spans[i + 1]);
            if (piece.isEmpty()) {
                unread++;
            } else if (exchange == null && piece.get() instanceof Piece.Asked asked) {
                exchange = new KeptExchange(asked);
            } else if (exchange != null) {
                exchange.add(piece.get());
            }
        }
        return Optional.ofNullable(exchange);
    }

    private Optional<Piece> piece(long offset, long length) throws IOException {
        if (length > Json.MAX_BYTES) {
            return Optional.empty();
        }
        var line = ByteBuffer.allocate((int) length);
        while (line.hasRemaining()) {
            if (file.read(line, offset + line.position()) < 0) {
                throw new EOFException("the capture was cut while it was read");
            }
        }
        try {
            return Optional.of(WrittenPiece.parse(line.array()));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Bytes behind the last whole line: the writer was stopped in the middle, or is at it.
    public long cutBytes() {
        return cut;
    }

    /// Whole lines that cannot be read.
    public long unreadLines() {
        return unread;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
