package dev.cagewright.egress.capture;

import dev.cagewright.egress.websocket.Frame;
import dev.cagewright.egress.websocket.FrameReader;
import dev.cagewright.egress.websocket.FrameReader.Part;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Reads the messages of one direction of a WebSocket from its bytes, without holding more of one than is kept. What is
/// no frame ends the reading, not the connection: the ends judge each other. For one event loop.
final class MessageReader {
    private final long limit;
    private final Consumer<Message> messages;
    private final FrameReader frames = new FrameReader();
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
        var view = bytes.duplicate();
        for (var part = isOver ? null : frames.next(view); part != null; part = isOver ? null : frames.next(view)) {
            switch (part) {
                case Part.Begin(Frame frame) -> begin(frame);
                case Part.Payload payload -> payload(payload);
                case Part.Broken _ -> isOver = true;
            }
        }
    }

    private void begin(Frame frame) {
        if (frame.isControl()) {
            control = new Draft(frame.opcode(), Piece.Form.PLAIN);
        } else if (frame.opcode() != 0) {
            data = new Draft(frame.opcode(), frame.isDeflated() ? Piece.Form.DEFLATED : Piece.Form.PLAIN);
        }
    }

    private void payload(Part.Payload payload) {
        var frame = payload.frame();
        var draft = frame.isControl() ? control : data;
        int size = payload.bytes().remaining();
        draft.bytes.write(payload.bytes().array(), 0, Math.clamp(limit - draft.whole, 0, size));
        draft.whole += size;
        if (!payload.isEnd()) {
            return;
        }
        if (frame.isControl()) {
            messages.accept(draft.message());
        } else if (frame.isFinal()) {
            messages.accept(draft.message());
            data = new Draft(0, Piece.Form.PLAIN);
        }
    }
}
