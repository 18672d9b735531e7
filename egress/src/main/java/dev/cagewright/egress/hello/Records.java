package dev.cagewright.egress.hello;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes the handshake message out of the records around it (RFC 8446 section 5.1).
final class Records {
    private static final int HANDSHAKE = 0x16;
    private static final int CLIENT_HELLO = 1;
    private static final int RECORD_HEAD = 5;
    private static final int MESSAGE_HEAD = 4;
    private static final int MAX_RECORD = 1 << 14;

    /// A hello in more pieces than this is no client's.
    private static final int MAX_RECORDS = 64;

    private final ByteBuf in;
    private final int start;
    private final ByteBuffer message;

    private Records(ByteBuf in) {
        this.in = in;
        this.start = in.readerIndex();
        this.message = ByteBuffer.allocate(Math.min(in.readableBytes(), ClientHello.MAX_BYTES));
    }

    static ClientHello read(ByteBuf in) {
        return new Records(in).read();
    }

    private ClientHello read() {
        int at = 0;
        for (int records = 0; records < MAX_RECORDS; records++) {
            var problem = headProblemOrNull(at);
            if (problem != null) {
                return problem;
            }
            int length = in.getUnsignedShort(start + at + 3);
            int whole = at + RECORD_HEAD + length;
            if (whole > ClientHello.MAX_BYTES) {
                return new ClientHello.Malformed("a hello of more than " + ClientHello.MAX_BYTES + " bytes");
            }
            int here = Math.min(length, available() - at - RECORD_HEAD);
            take(at + RECORD_HEAD, here);
            var answer = wholeOrNull();
            if (answer != null) {
                return answer;
            }
            if (here < length) {
                return new ClientHello.Incomplete(whole);
            }
            at = whole;
        }
        return new ClientHello.Malformed("a hello in more than " + MAX_RECORDS + " records");
    }

    private int available() {
        return Math.min(in.readableBytes(), ClientHello.MAX_BYTES);
    }

    /// What is wrong with, or missing of, the head of the record at `at`; null if nothing is.
    private @Nullable ClientHello headProblemOrNull(int at) {
        int available = available() - at;
        boolean isFirst = at == 0;
        if (available > 0 && in.getUnsignedByte(start + at) != HANDSHAKE) {
            return isFirst ? new ClientHello.NotTls() : new ClientHello.Malformed("another record within the hello");
        }
        if (available > 1 && in.getUnsignedByte(start + at + 1) != 3) {
            return isFirst ? new ClientHello.NotTls() : new ClientHello.Malformed("a record of another version");
        }
        if (available < RECORD_HEAD) {
            return at + RECORD_HEAD > ClientHello.MAX_BYTES
                    ? new ClientHello.Malformed("a hello of more than " + ClientHello.MAX_BYTES + " bytes")
                    : new ClientHello.Incomplete(at + RECORD_HEAD);
        }
        int length = in.getUnsignedShort(start + at + 3);
        return length == 0 || length > MAX_RECORD
                ? new ClientHello.Malformed("a record of " + length + " bytes")
                : null;
    }

    private void take(int from, int length) {
        int taken = Math.min(length, message.remaining());
        message.limit(message.position() + taken);
        in.getBytes(start + from, message);
        message.limit(message.capacity());
    }

    /// The hello, or what is wrong with it as far as it is there; null if more of it has to come.
    private @Nullable ClientHello wholeOrNull() {
        int have = message.position();
        if (have > 0 && message.get(0) != CLIENT_HELLO) {
            return new ClientHello.Malformed("handshake message " + message.get(0) + " (expected: 1, a ClientHello)");
        }
        if (have < MESSAGE_HEAD) {
            return null;
        }
        int length = message.getInt(0) & 0xffffff;
        if (length > ClientHello.MAX_BYTES - MESSAGE_HEAD - RECORD_HEAD) {
            return new ClientHello.Malformed("a hello of " + length + " bytes");
        }
        return have < MESSAGE_HEAD + length ? null : HelloReader.read(message.slice(MESSAGE_HEAD, length));
    }
}
