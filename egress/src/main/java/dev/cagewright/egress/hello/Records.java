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

    private static final int MAX_MESSAGE = ClientHello.MAX_BYTES - MESSAGE_HEAD - RECORD_HEAD;
    private static final ClientHello TOO_LARGE =
            new ClientHello.Malformed("a hello of more than " + ClientHello.MAX_BYTES + " bytes");

    /// A hello in more pieces than this is no client's.
    private static final int MAX_RECORDS = 64;

    private final ByteBuf in;
    private final int start;
    private final int available;
    private final byte[] messageHead = new byte[MESSAGE_HEAD];

    private Records(ByteBuf in) {
        this.in = in;
        this.start = in.readerIndex();
        this.available = Math.min(in.readableBytes(), ClientHello.MAX_BYTES);
    }

    static ClientHello read(ByteBuf in) {
        return new Records(in).read();
    }

    /// Walks over the heads of the records; copies nothing before the message is whole.
    private ClientHello read() {
        int at = 0;
        int have = 0;
        for (int records = 0; records < MAX_RECORDS; records++) {
            var problem = headProblemOrNull(at);
            if (problem != null) {
                return problem;
            }
            int length = recordLength(at);
            int whole = at + RECORD_HEAD + length;
            if (whole > ClientHello.MAX_BYTES) {
                return TOO_LARGE;
            }
            int here = Math.min(length, available - at - RECORD_HEAD);
            keepHead(at + RECORD_HEAD, here, have);
            have += here;
            var trouble = messageProblemOrNull(have);
            if (trouble != null) {
                return trouble;
            }
            int missing = have < MESSAGE_HEAD ? Integer.MAX_VALUE : messageBytes() - have;
            if (missing <= 0) {
                return HelloReader.read(message().position(MESSAGE_HEAD).slice());
            }
            if (here < length) {
                return new ClientHello.Incomplete(missing < whole - available ? available + missing : whole);
            }
            at = whole;
        }
        return new ClientHello.Malformed("a hello in more than " + MAX_RECORDS + " records");
    }

    /// What is wrong with, or missing of, the head of the record at `at`; null if nothing is.
    private @Nullable ClientHello headProblemOrNull(int at) {
        int rest = available - at;
        boolean isFirst = at == 0;
        if (rest > 0 && in.getUnsignedByte(start + at) != HANDSHAKE) {
            return isFirst ? new ClientHello.NotTls() : new ClientHello.Malformed("another record within the hello");
        }
        if (rest > 1 && in.getUnsignedByte(start + at + 1) != 3) {
            return isFirst ? new ClientHello.NotTls() : new ClientHello.Malformed("a record of another version");
        }
        if (rest < RECORD_HEAD) {
            return at + RECORD_HEAD > ClientHello.MAX_BYTES ? TOO_LARGE : new ClientHello.Incomplete(at + RECORD_HEAD);
        }
        int length = recordLength(at);
        return length == 0 || length > MAX_RECORD
                ? new ClientHello.Malformed("a record of " + length + " bytes")
                : null;
    }

    private int recordLength(int at) {
        return in.getUnsignedShort(start + at + 3);
    }

    private void keepHead(int from, int length, int have) {
        for (int i = 0; i < length && have + i < MESSAGE_HEAD; i++) {
            messageHead[have + i] = in.getByte(start + from + i);
        }
    }

    /// What is wrong with the message as far as its head is there; null if nothing is.
    private @Nullable ClientHello messageProblemOrNull(int have) {
        if (have > 0 && messageHead[0] != CLIENT_HELLO) {
            return new ClientHello.Malformed("handshake message " + messageHead[0] + " (expected: 1, a ClientHello)");
        }
        int length = messageBytes() - MESSAGE_HEAD;
        return have >= MESSAGE_HEAD && length > MAX_MESSAGE
                ? new ClientHello.Malformed("a hello of " + length + " bytes")
                : null;
    }

    private int messageBytes() {
        return MESSAGE_HEAD + (ByteBuffer.wrap(messageHead).getInt() & 0xffffff);
    }

    /// The whole message without what stands between its pieces.
    private ByteBuffer message() {
        var message = ByteBuffer.allocate(messageBytes());
        for (int at = 0; message.hasRemaining(); at += RECORD_HEAD + recordLength(at)) {
            message.limit(Math.min(message.position() + recordLength(at), message.capacity()));
            in.getBytes(start + at + RECORD_HEAD, message);
            message.limit(message.capacity());
        }
        return message.flip();
    }
}
