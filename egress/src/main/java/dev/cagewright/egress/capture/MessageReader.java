package dev.cagewright.egress.capture;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Reads the messages of one direction of a WebSocket from its bytes, RFC 6455 section 5.2, without holding more of one
/// than is kept. What is no frame ends the reading, not the connection: the ends judge each other. For one event loop.
final class MessageReader {
    /// Two bytes, eight of a length, four of a mask.
    private static final int LONGEST_HEAD = 14;

    private final long limit;
    private final Consumer<Message> messages;
    private final byte[] head = new byte[LONGEST_HEAD];
    private int headLength;
    private long left = -1;
    private long position;
    private boolean isOver;
    private Draft control = new Draft(0, Piece.Form.PLAIN);
    private Draft data = new Draft(0, Piece.Form.PLAIN);

    /// @param limit the most of a message that is kept, bytes
    MessageReader(long limit, Consumer<Message> messages) {
        this.limit = limit;
        this.messages = messages;
    }

    /// One message.
    ///
    /// @param whole its size, bytes
    /// @param bytes its begin
    record Message(int opcode, Piece.Form form, long whole, ByteBuffer bytes) {}

    private static final class Draft {
        private final int opcode;
        private final Piece.Form form;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long whole;

        Draft(int opcode, Piece.Form form) {
            this.opcode = opcode;
            this.form = form;
        }

        Message message() {
            return new Message(opcode, form, whole, ByteBuffer.wrap(bytes.toByteArray()));
        }
    }

    /// Looks at bytes that pass and leaves them as they are.
    void look(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex() && !isOver) {
            if (left < 0) {
                head[headLength++] = bytes.getByte(at++);
                begin();
            } else {
                int size = (int) Math.min(left, bytes.writerIndex() - at);
                payload(bytes, at, size);
                at += size;
            }
            if (left == 0) {
                end();
            }
        }
    }

    /// Does the head end with this byte?
    private void begin() {
        if (headLength < 2 || headLength < length()) {
            return;
        }
        int code = head[1] & 0x7f;
        left = code < 126 ? code : number(code == 126 ? 2 : 8);
        position = 0;
        boolean isControl = opcode() >= 8;
        if (left < 0 || (isControl && (left > 125 || !isFinal()))) {
            isOver = true;
            return;
        }
        if (isControl) {
            control = new Draft(opcode(), Piece.Form.PLAIN);
        } else if (opcode() != 0) {
            data = new Draft(opcode(), (head[0] & 0x40) == 0 ? Piece.Form.PLAIN : Piece.Form.DEFLATED);
        }
    }

    private int length() {
        int code = head[1] & 0x7f;
        int size = code < 126 ? 0 : code == 126 ? 2 : 8;
        return 2 + size + (isMasked() ? 4 : 0);
    }

    private long number(int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = (value << 8) | (head[2 + i] & 0xff);
        }
        return value;
    }

    private boolean isFinal() {
        return (head[0] & 0x80) != 0;
    }

    private boolean isMasked() {
        return (head[1] & 0x80) != 0;
    }

    private int opcode() {
        return head[0] & 0xf;
    }

    private void payload(ByteBuf bytes, int at, int size) {
        var draft = opcode() >= 8 ? control : data;
        int kept = Math.clamp(limit - draft.whole, 0, size);
        for (int i = 0; i < kept; i++) {
            int mask = isMasked() ? head[headLength - 4 + (int) ((position + i) & 3)] : 0;
            draft.bytes.write(bytes.getByte(at + i) ^ mask);
        }
        draft.whole += size;
        position += size;
        left -= size;
    }

    private void end() {
        if (opcode() >= 8) {
            messages.accept(control.message());
        } else if (isFinal()) {
            messages.accept(data.message());
            data = new Draft(0, Piece.Form.PLAIN);
        }
        headLength = 0;
        left = -1;
    }
}
