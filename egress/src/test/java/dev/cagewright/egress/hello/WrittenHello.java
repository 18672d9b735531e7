package dev.cagewright.egress.hello;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A ClientHello written byte by byte, so that each part of it can be wrong.
final class WrittenHello {
    private final ByteArrayOutputStream extensions = new ByteArrayOutputStream();

    /// A hello with nothing but what it must have, and GREASE where a browser puts it.
    static WrittenHello plain() {
        return new WrittenHello().extension(0x1a1a).extension(0x002b, 2, 0x03, 0x04);
    }

    WrittenHello extension(int type, int... data) {
        var bytes = new byte[data.length];
        for (int i = 0; i < data.length; i++) {
            bytes[i] = (byte) data[i];
        }
        return extension(type, bytes);
    }

    WrittenHello extension(int type, byte[] data) {
        u16(extensions, type);
        extensions.writeBytes(sized16(data));
        return this;
    }

    WrittenHello serverName(byte[] name) {
        var entry = new ByteArrayOutputStream();
        entry.write(0);
        entry.writeBytes(sized16(name));
        return extension(0, sized16(entry.toByteArray()));
    }

    WrittenHello serverName(String name) {
        return serverName(name.getBytes(StandardCharsets.ISO_8859_1));
    }

    WrittenHello alpn(String... protocols) {
        var list = new ByteArrayOutputStream();
        for (String protocol : protocols) {
            list.writeBytes(sized8(protocol.getBytes(StandardCharsets.ISO_8859_1)));
        }
        return extension(16, sized16(list.toByteArray()));
    }

    WrittenHello padding(int bytes) {
        return extension(21, new byte[bytes]);
    }

    /// The handshake message's body.
    byte[] body() {
        var body = new ByteArrayOutputStream();
        u16(body, 0x0303);
        body.writeBytes(new byte[32]);
        body.writeBytes(sized8(new byte[32]));
        body.writeBytes(sized16(new byte[] {0x0a, 0x0a, 0x13, 0x01}));
        body.writeBytes(sized8(new byte[1]));
        body.writeBytes(sized16(extensions.toByteArray()));
        return body.toByteArray();
    }

    static byte[] message(byte[] body) {
        var message = new ByteArrayOutputStream();
        message.writeBytes(new byte[] {1, (byte) (body.length >> 16), (byte) (body.length >> 8), (byte) body.length});
        message.writeBytes(body);
        return message.toByteArray();
    }

    byte[] message() {
        return message(body());
    }

    /// The message in records of at most `most` bytes each.
    static byte[] records(byte[] message, int most) {
        var records = new ByteArrayOutputStream();
        for (int at = 0; at < message.length; at += most) {
            records.writeBytes(new byte[] {0x16, 3, 1});
            records.writeBytes(sized16(Arrays.copyOfRange(message, at, Math.min(message.length, at + most))));
        }
        return records.toByteArray();
    }

    byte[] bytes() {
        return records(message(), 1 << 14);
    }

    private static byte[] sized8(byte[] data) {
        var out = new ByteArrayOutputStream();
        out.write(data.length);
        out.writeBytes(data);
        return out.toByteArray();
    }

    private static byte[] sized16(byte[] data) {
        var out = new ByteArrayOutputStream();
        u16(out, data.length);
        out.writeBytes(data);
        return out.toByteArray();
    }

    private static void u16(ByteArrayOutputStream out, int value) {
        out.write(value >> 8);
        out.write(value);
    }
}
