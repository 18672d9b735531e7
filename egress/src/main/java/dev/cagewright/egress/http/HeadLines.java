package dev.cagewright.egress.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The lines of an HTTP/1 message as they come in: each ends in CR LF, and no other CR, LF or NUL is in it
/// (RFC 9112 section 2.2). Remembers how far it has looked, so that a byte is looked at once. For one
/// connection.
final class HeadLines {
    private final int maxBytes;
    private int scanned;
    private int taken;

    /// @param maxBytes of all lines until [#restart]
    HeadLines(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// A new head begins.
    void restart() {
        scanned = 0;
        taken = 0;
    }

    /// The next line without its end, taken out of `in`; empty until it is whole.
    ///
    /// @throws MalformedException if it has an end that is none, or if there is too much
    Optional<String> next(ByteBuf in) throws MalformedException {
        int readable = in.readableBytes();
        while (scanned < readable) {
            byte b = in.getByte(in.readerIndex() + scanned);
            if (b == '\n') {
                return Optional.of(take(in));
            }
            boolean isBehindReturn = scanned > 0 && in.getByte(in.readerIndex() + scanned - 1) == '\r';
            if (isBehindReturn || b == 0) {
                throw new MalformedException("a line has a control character in it");
            }
            scanned++;
            if (taken + scanned > maxBytes) {
                throw new MalformedException(431, "the head is longer than " + maxBytes + " bytes");
            }
        }
        return Optional.empty();
    }

    private String take(ByteBuf in) throws MalformedException {
        if (scanned == 0 || in.getByte(in.readerIndex() + scanned - 1) != '\r') {
            throw new MalformedException("a line ends in a bare line feed");
        }
        var line = in.readCharSequence(scanned - 1, StandardCharsets.ISO_8859_1).toString();
        in.skipBytes(2);
        taken += scanned + 1;
        scanned = 0;
        return line;
    }
}
