package dev.cagewright.egress.credential;

import java.io.IOException;
import java.util.Arrays;

/// Reads the frames of one direction of a WebSocket, RFC 6455 section 5.2, from its bytes, however they are cut. For
/// one
/// event loop.
final class Frames {
    /// Two bytes, eight of a length, four of a mask.
    private static final int LONGEST_HEAD = 14;

    private static final int FIRST_CONTROL = 8;

    private final Parts parts;
    private final byte[] head = new byte[LONGEST_HEAD];
    private int headLength;
    private long left = -1;
    private int turn;

    /// Takes the stream apart.
    interface Parts {
        /// Bytes that are no text: heads of frames, and whole control frames.
        void other(byte[] bytes);

        /// Bytes of a message, unmasked.
        void text(byte[] bytes);

        /// A message is over.
        void message();
    }

    Frames(Parts parts) {
        this.parts = parts;
    }

    /// Takes the next bytes.
    ///
    /// @throws IOException if they are no frames, or compressed ones, which nobody asked for
    void next(byte[] bytes) throws IOException {
        int at = 0;
        while (at < bytes.length) {
            if (left < 0) {
                head[headLength++] = bytes[at++];
                begin();
            } else {
                int size = (int) Math.min(left, bytes.length - at);
                payload(Arrays.copyOfRange(bytes, at, at + size));
                at += size;
                left -= size;
            }
            if (left == 0) {
                end();
            }
        }
    }

    private void begin() throws IOException {
        if (headLength < 2 || headLength < headSize()) {
            return;
        }
        int code = head[1] & 0x7f;
        left = code < 126 ? code : number(code == 126 ? 2 : 8);
        turn = 0;
        if (left < 0 || (head[0] & 0x70) != 0) {
            throw new IOException("a WebSocket frame is none, or compressed though nobody asked for it");
        }
        parts.other(Arrays.copyOf(head, headLength));
    }

    private int headSize() {
        int code = head[1] & 0x7f;
        int length = code < 126 ? 0 : code == 126 ? 2 : 8;
        return 2 + length + (isMasked() ? 4 : 0);
    }

    private boolean isMasked() {
        return (head[1] & 0x80) != 0;
    }

    private long number(int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = (value << 8) | (head[2 + i] & 0xff);
        }
        return value;
    }

    private void payload(byte[] bytes) {
        if ((head[0] & 0xf) >= FIRST_CONTROL) {
            parts.other(bytes);
            return;
        }
        if (isMasked()) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= head[headLength - 4 + (turn & 3)];
                turn++;
            }
        }
        parts.text(bytes);
    }

    private void end() {
        boolean isFinal = (head[0] & 0x80) != 0;
        if (isFinal && (head[0] & 0xf) < FIRST_CONTROL) {
            parts.message();
        }
        headLength = 0;
        left = -1;
    }
}
