package dev.cagewright.sandbox.namespaces.tree;

import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The bytes of one request: numbers in the machine's order, names length-prefixed and NUL-terminated, so
/// that a name may hold every byte but NUL.
public final class Payload {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public Payload number(int value) {
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .array());
        return this;
    }

    public Payload size(long value) {
        bytes.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array());
        return this;
    }

    public Payload text(ByteString value) {
        number(value.size());
        bytes.writeBytes(value.toByteArray());
        bytes.write(0);
        return this;
    }

    public byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
