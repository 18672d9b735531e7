package dev.cagewright.egress.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/// Makes frames, RFC 6455 section 5.2: masked on their way to an origin, as they are on their way to a client.
enum FrameWriter {
    TO_ORIGIN,
    TO_CAGE;

    private static final SecureRandom KEYS = new SecureRandom();
    private static final int MASKED = 0x80;

    /// One frame. Takes `payload` over.
    ///
    /// @param first its first byte
    ByteBuf frame(int first, byte[] payload) {
        var head = Unpooled.buffer(14).writeByte(first);
        int mark = this == TO_ORIGIN ? MASKED : 0;
        if (payload.length <= Frame.MOST_OF_CONTROL) {
            head.writeByte(mark | payload.length);
        } else if (payload.length <= 0xffff) {
            head.writeByte(mark | 126).writeShort(payload.length);
        } else {
            head.writeByte(mark | 127).writeLong(payload.length);
        }
        if (this == TO_ORIGIN) {
            var mask = new Frame.Mask(Frame.Mask.State.PRESENT, KEYS.nextInt());
            head.writeInt(mask.key());
            for (int i = 0; i < payload.length; i++) {
                payload[i] = (byte) mask.over(payload[i], i);
            }
        }
        return Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(payload));
    }

    /// A close frame, section 5.5.1.
    ///
    /// @param why is cut where it does not fit
    ByteBuf close(int code, String why) {
        var words = why.getBytes(StandardCharsets.US_ASCII);
        var payload = new byte[2 + Math.min(words.length, Frame.MOST_OF_CONTROL - 2)];
        payload[0] = (byte) (code >> 8);
        payload[1] = (byte) code;
        System.arraycopy(words, 0, payload, 2, payload.length - 2);
        return frame(Frame.FINAL | Frame.CLOSES, Arrays.copyOf(payload, payload.length));
    }
}
