package dev.cagewright.secrets.place;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// How a value is written where its decoy stood.
public enum Writing {
    /// As it is.
    PLAIN,
    /// In a path: `%XX` for all that a segment cannot hold, RFC 3986 section 3.3.
    SEGMENT,
    /// In a query or a form: `%XX` for all but letters, digits and `-._~`.
    COMPONENT,
    /// In a string of JSON, RFC 8259 section 7; what is not ASCII stays as it is.
    JSON;

    private static final HexFormat DIGITS = HexFormat.of().withUpperCase();

    /// The bytes to write; the caller wipes them.
    public byte[] write(byte[] value) {
        return switch (this) {
            case PLAIN -> value.clone();
            case SEGMENT -> percent(value, "-._~!$&'()*+,;=:@");
            case COMPONENT -> percent(value, "-._~");
            case JSON -> escaped(value);
        };
    }

    private static byte[] percent(byte[] value, String kept) {
        var out = new Wiped(3 * value.length);
        for (byte each : value) {
            boolean isLetter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
            if (isLetter || (each >= '0' && each <= '9') || kept.indexOf(each) >= 0) {
                out.write(each);
            } else {
                out.write('%');
                out.writeBytes(DIGITS.toHexDigits(each).getBytes(StandardCharsets.US_ASCII));
            }
        }
        return out.take();
    }

    private static byte[] escaped(byte[] value) {
        var out = new Wiped(6 * value.length);
        for (byte each : value) {
            if (each == '"' || each == '\\') {
                out.write('\\');
                out.write(each);
            } else if (each >= 0 && each < ' ') {
                out.writeBytes(("\\u00" + DIGITS.toHexDigits(each)).getBytes(StandardCharsets.US_ASCII));
            } else {
                out.write(each);
            }
        }
        return out.take();
    }

    /// Leaves nothing behind.
    private static final class Wiped extends ByteArrayOutputStream {
        Wiped(int size) {
            super(size);
        }

        byte[] take() {
            var bytes = toByteArray();
            Arrays.fill(buf, (byte) 0);
            return bytes;
        }
    }
}
