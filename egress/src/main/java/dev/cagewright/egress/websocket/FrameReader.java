package dev.cagewright.egress.websocket;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads the frames of one direction of a WebSocket from its bytes, RFC 6455 section 5.2, and holds none of the
/// payload.
/// For one event loop.
public final class FrameReader {
    /// Two bytes, eight of a length, four of a mask.
    private static final int LONGEST_HEAD = 14;

    private final byte[] head = new byte[LONGEST_HEAD];
    private int headLength;
    private @Nullable Frame frame;
    private long position;

    /// What comes next.
    public sealed interface Part {
        /// A frame begins. At least one [Payload] follows, an empty one where the frame is empty.
        record Begin(Frame frame) implements Part {}

        /// So much of its payload is here.
        ///
        /// @param at how far into the frame it stands
        /// @param bytes out of the mask; the receiver's own array, all of it
        record Payload(Frame frame, long at, ByteBuffer bytes) implements Part {
            /// Is the frame over?
            public boolean isEnd() {
                return at + bytes.remaining() == frame.length();
            }
        }

        /// Nobody can say where the next frame begins. Nothing is read any more.
        record Broken(String why) implements Part {}
    }

    /// Takes the next part from `bytes`.
    ///
    /// @return null where more bytes are needed; then all of these are taken
    public @Nullable Part next(ByteBuf bytes) {
        var current = frame;
        if (current != null) {
            return current.length() > position && !bytes.isReadable() ? null : payload(current, bytes);
        }
        while (bytes.isReadable()) {
            head[headLength++] = bytes.readByte();
            if (headLength >= 2 && headLength == length()) {
                return begin();
            }
        }
        return null;
    }

    private Part begin() {
        int code = head[1] & 0x7f;
        long length = code < 126 ? code : number(2, code == 126 ? 2 : 8);
        var mask = isMasked()
                ? new Frame.Mask(Frame.Mask.State.PRESENT, (int) number(headLength - 4, 4))
                : Frame.Mask.NONE;
        var begun = new Frame(head[0] & 0xff, mask, length);
        if (length < 0) {
            headLength = 0;
            return new Part.Broken("a frame is longer than there can be one");
        }
        if (begun.isControl() && (length > Frame.MOST_OF_CONTROL || !begun.isFinal())) {
            headLength = 0;
            return new Part.Broken("a control frame is too long, or in pieces");
        }
        frame = begun;
        position = 0;
        return new Part.Begin(begun);
    }

    private int length() {
        int code = head[1] & 0x7f;
        int size = code < 126 ? 0 : code == 126 ? 2 : 8;
        return 2 + size + (isMasked() ? 4 : 0);
    }

    private boolean isMasked() {
        return (head[1] & 0x80) != 0;
    }

    private long number(int from, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value = (value << 8) | (head[from + i] & 0xff);
        }
        return value;
    }

    private Part payload(Frame current, ByteBuf bytes) {
        var piece = new byte[(int) Math.min(current.length() - position, bytes.readableBytes())];
        bytes.readBytes(piece);
        if (current.mask().state() == Frame.Mask.State.PRESENT) {
            for (int i = 0; i < piece.length; i++) {
                piece[i] = (byte) current.mask().over(piece[i], position + i);
            }
        }
        var part = new Part.Payload(current, position, ByteBuffer.wrap(piece));
        position += piece.length;
        if (part.isEnd()) {
            frame = null;
            headLength = 0;
        }
        return part;
    }
}
