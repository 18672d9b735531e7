package dev.cagewright.egress.dns;

import java.nio.ByteBuffer;
import java.util.Optional;

/// What a client's OPT record says (RFC 6891 section 6.1).
///
/// @param size bytes of an answer that it takes by UDP
/// @param flags the lower half of the record's TTL field
record Edns(int size, int version, int flags) {
    static final int DNSSEC_OK = 0x8000;

    /// RFC 6891 section 6.2.3: smaller values mean this one.
    static final int LEAST = 512;

    private static final int HEAD = 11;

    /// Reads the one additional record of a query, which has to end with the message; empty if it is anything else.
    static Optional<Edns> read(ByteBuffer from) {
        if (from.remaining() < HEAD || from.get() != 0 || Header.u16(from) != Type.OPT) {
            return Optional.empty();
        }
        int size = Math.max(Header.u16(from), LEAST);
        int version = Header.u16(from) & 0xff;
        int flags = Header.u16(from);
        int length = Header.u16(from);
        return length == from.remaining() && hasWholeOptions(from)
                ? Optional.of(new Edns(size, version, flags))
                : Optional.empty();
    }

    private static boolean hasWholeOptions(ByteBuffer from) {
        while (from.remaining() >= 4) {
            from.getShort();
            int length = Header.u16(from);
            if (length > from.remaining()) {
                return false;
            }
            from.position(from.position() + length);
        }
        return !from.hasRemaining();
    }
}
