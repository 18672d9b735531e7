package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The bytes of one request: numbers in the machine's order, names length-prefixed and NUL-terminated, so
/// that a name may hold every byte but NUL.
public final class Payload {
    private byte[] space = new byte[8192];
    private ByteBuffer bytes = buffer(space);

    private static ByteBuffer buffer(byte[] space) {
        return ByteBuffer.wrap(space).order(ByteOrder.nativeOrder());
    }

    private ByteBuffer withRoomFor(int more) {
        if (bytes.remaining() < more) {
            int filled = bytes.position();
            space = Arrays.copyOf(space, Math.max(Math.addExact(filled, more), Math.multiplyExact(space.length, 2)));
            bytes = buffer(space).position(filled);
        }
        return bytes;
    }

    public Payload number(int value) {
        withRoomFor(Integer.BYTES).putInt(value);
        return this;
    }

    public Payload size(long value) {
        withRoomFor(Long.BYTES).putLong(value);
        return this;
    }

    public Payload text(ByteString value) {
        withRoomFor(Integer.BYTES + value.size() + 1)
                .putInt(value.size())
                .put(value.toByteArray())
                .put((byte) 0);
        return this;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(space, bytes.position());
    }
}
