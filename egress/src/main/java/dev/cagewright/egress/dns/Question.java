package dev.cagewright.egress.dns;

import dev.cagewright.policy.action.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What a query asks for.
///
/// @param bytes the question as it came, so that the answer repeats the client's own spelling
/// @param name its labels with dots between them, one character a byte, in the client's spelling, a dot within a label
///     as `\.`; empty for the root
record Question(ByteString bytes, String name, int type, int dnsClass) {
    /// RFC 1035 section 2.3.4.
    private static final int MAX_NAME = 255;

    private static final int MAX_LABEL = 63;

    /// Reads a question; empty if it is cut, too long, or has a label of another kind, such as a pointer: there is
    /// nothing before it that one could point to.
    static Optional<Question> read(ByteBuffer from) {
        int start = from.position();
        var name = new StringBuilder();
        for (int length = next(from); length != 0; length = next(from)) {
            boolean isGood = length > 0
                    && length <= MAX_LABEL
                    && length < from.remaining()
                    && from.position() + length - start < MAX_NAME;
            if (!isGood) {
                return Optional.empty();
            }
            var label = new byte[length];
            from.get(label);
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(label, StandardCharsets.ISO_8859_1).replace(".", "\\."));
        }
        if (from.remaining() < 4) {
            return Optional.empty();
        }
        int type = Header.u16(from);
        int dnsClass = Header.u16(from);
        var bytes = new byte[from.position() - start];
        from.get(start, bytes);
        return Optional.of(new Question(ByteString.copyOf(bytes), name.toString(), type, dnsClass));
    }

    private static int next(ByteBuffer from) {
        return from.hasRemaining() ? from.get() & 0xff : -1;
    }
}
