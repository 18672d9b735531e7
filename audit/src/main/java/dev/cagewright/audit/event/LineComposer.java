package dev.cagewright.audit.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/// Puts whole lines, each chained to the one before, behind each other into one buffer. Not safe for several threads.
public final class LineComposer {
    private static final byte[] SEQ_START = LineFormat.ascii("{\"seq\":");
    private static final byte[] TIME_START = LineFormat.ascii(",\"time\":\"");
    private static final byte[] BODY_START = LineFormat.ascii("\",");
    private static final byte[] HEX = LineFormat.ascii("0123456789abcdef");
    private static final DateTimeFormatter TO_SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /// `2026-01-02T03:04:05`.
    private static final int SECONDS_LENGTH = 19;

    /// All that [#add] puts around a body, at most.
    private static final int FRAME = 256;

    private final MessageDigest sha = FieldBounds.sha256();
    private final byte[] digest = new byte[32];
    private final byte[] prev = new byte[LineFormat.HASH_LENGTH];
    private byte[] buffer = new byte[1 << 16];
    private final byte[] time = LineFormat.ascii("0000-00-00T00:00:00.000000Z");
    private Instant instant = Instant.MIN;
    private int length;

    /// An empty buffer.
    public LineComposer() {}

    /// Empties the buffer.
    ///
    /// @param hash of the line that the next one follows
    /// @param now the time that the next lines carry, between the years 0 and 9999
    public void begin(String hash, Instant now) {
        System.arraycopy(LineFormat.ascii(hash), 0, prev, 0, prev.length);
        tell(now);
        length = 0;
    }

    /// Writes the second only where it is another than the last one.
    private void tell(Instant now) {
        if (now.getEpochSecond() != instant.getEpochSecond()) {
            var seconds = LineFormat.ascii(TO_SECONDS.format(now));
            System.arraycopy(seconds, 0, time, 0, SECONDS_LENGTH);
        }
        instant = now;
        int micros = now.getNano() / 1000;
        for (int at = time.length - 2; at > SECONDS_LENGTH; at--) {
            time[at] = (byte) ('0' + micros % 10);
            micros /= 10;
        }
    }

    /// Adds a line with its line end.
    ///
    /// @param body as [LineFormat#body] makes it
    public void add(long seq, byte[] body) {
        close(open(seq, body));
    }

    /// Adds a line whose body ends in a code over the bytes before it.
    public void addSealed(long seq, byte[] body, Cover cover) {
        int start = open(seq, body);
        var code = cover.code(prev, buffer, start, length - cover.tail());
        hex(code, buffer, length - cover.digits());
        close(start);
    }

    /// Authenticates the start of a line.
    public interface Cover {
        /// How many bytes at the body's end are not covered: the member that carries the code.
        int tail();

        /// How many bytes before the body's end the code's 64 digits start.
        int digits();

        /// 32 bytes that depend on the bytes from `from` to `to`, and on `prev` in front of them.
        byte[] code(byte[] prev, byte[] bytes, int from, int to);
    }

    private int open(long seq, byte[] body) {
        reserve(body.length + FRAME);
        int start = length;
        put(SEQ_START);
        put(LineFormat.ascii(Long.toString(seq)));
        put(TIME_START);
        put(time);
        put(BODY_START);
        put(body);
        return start;
    }

    private void close(int start) {
        put(LineFormat.PREV_START);
        put(prev);
        buffer[length++] = '"';
        hash(start);
        length--;
        put(LineFormat.HASH_START);
        put(prev);
        put(LineFormat.END);
        buffer[length++] = '\n';
    }

    /// The hash of the last line.
    public String lastHash() {
        return new String(prev, StandardCharsets.ISO_8859_1);
    }

    /// The time that the lines carry.
    public Instant time() {
        return instant;
    }

    /// How many bytes the lines take.
    public int size() {
        return length;
    }

    /// The lines; valid until the next call of this object.
    public ByteBuffer lines() {
        return ByteBuffer.wrap(buffer, 0, length);
    }

    private void hash(int start) {
        sha.update(prev);
        sha.update(buffer, start, length - start);
        try {
            sha.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 does not fit in 32 bytes", e);
        }
        hex(digest, prev, 0);
    }

    private static void hex(byte[] bytes, byte[] into, int at) {
        for (int i = 0; i < bytes.length; i++) {
            into[at + 2 * i] = HEX[bytes[i] >> 4 & 0xf];
            into[at + 2 * i + 1] = HEX[bytes[i] & 0xf];
        }
    }

    private void reserve(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(length, more), Math.multiplyExact(buffer.length, 2)));
        }
    }

    private void put(byte[] bytes) {
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }
}
