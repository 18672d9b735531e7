package dev.cagewright.supervisor.evidence;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The one form of zip that bundles have: stored and not compressed, no extra fields, no comments, one fixed time,
/// every entry a regular file, nothing before, between or behind. Figures and names are those of PKWARE's APPNOTE,
/// section 4.3. Any unzip reads it; and since nothing in it is compressed, it is no larger inside than outside.
final class ZipForm {
    static final int LOCAL = 0x04034b50;
    static final int CENTRAL = 0x02014b50;
    static final int END = 0x06054b50;

    static final int LOCAL_LENGTH = 30;
    static final int CENTRAL_LENGTH = 46;
    static final int END_LENGTH = 22;

    static final short VERSION = 20;

    /// Made on Unix, so that the mode counts.
    static final short MADE_BY = (short) (3 << 8 | VERSION);

    /// 1980-01-01, the first day that the form has.
    static final short DATE = 1 << 5 | 1;

    /// A regular file, 0600.
    static final int ATTRIBUTES = 0100600 << 16;

    static final int ENCRYPTED = 1;
    static final int DESCRIPTOR = 1 << 3;
    static final int ZIP64_SIZE = 0xffffffff;
    static final int ZIP64_COUNT = 0xffff;

    private ZipForm() {}

    /// One entry as both headers tell it.
    ///
    /// @param crc CRC-32 of the bytes
    /// @param size bytes, below 2 GiB
    /// @param at where its local header is
    record Entry(String name, int crc, long size, long at) {
        long data() {
            return at + LOCAL_LENGTH + name.length();
        }

        long end() {
            return data() + size;
        }
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private static void common(ByteBuffer out, Entry entry) {
        out.putShort(VERSION).putShort((short) 0).putShort((short) 0); // needed, flags, stored
        out.putShort((short) 0).putShort(DATE);
        out.putInt(entry.crc()).putInt((int) entry.size()).putInt((int) entry.size());
        out.putShort((short) entry.name().length()).putShort((short) 0);
    }

    static byte[] local(Entry entry) {
        var bytes = new byte[LOCAL_LENGTH + entry.name().length()];
        var out = reading(bytes);
        out.putInt(LOCAL);
        common(out, entry);
        out.put(ascii(entry.name()));
        return bytes;
    }

    static byte[] central(Entry entry) {
        var bytes = new byte[CENTRAL_LENGTH + entry.name().length()];
        var out = reading(bytes);
        out.putInt(CENTRAL).putShort(MADE_BY);
        common(out, entry);
        out.putShort((short) 0).putShort((short) 0).putShort((short) 0); // comment, disk, internal
        out.putInt(ATTRIBUTES).putInt((int) entry.at());
        out.put(ascii(entry.name()));
        return bytes;
    }

    static byte[] end(int count, long size, long at) {
        var bytes = new byte[END_LENGTH];
        var out = reading(bytes);
        out.putInt(END).putShort((short) 0).putShort((short) 0);
        out.putShort((short) count).putShort((short) count);
        out.putInt((int) size).putInt((int) at).putShort((short) 0);
        return bytes;
    }

    /// `bytes` in the byte order of zip.
    static ByteBuffer reading(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
