package dev.cagewright.egress.dns;

import java.nio.ByteBuffer;

/// The first twelve bytes of a message (RFC 1035 section 4.1.1).
record Header(int id, int flags, int questions, int answers, int authorities, int additionals) {
    static final int BYTES = 12;

    private static final int RESPONSE = 0x8000;
    private static final int OPCODE = 0x7800;
    private static final int TRUNCATED = 0x0200;
    private static final int RECURSION_DESIRED = 0x0100;
    private static final int RECURSION_AVAILABLE = 0x0080;
    private static final int CHECKING_DISABLED = 0x0010;

    static Header read(ByteBuffer from) {
        return new Header(u16(from), u16(from), u16(from), u16(from), u16(from), u16(from));
    }

    static int u16(ByteBuffer from) {
        return from.getShort() & 0xffff;
    }

    boolean isResponse() {
        return (flags & RESPONSE) != 0;
    }

    boolean isStandardQuery() {
        return (flags & OPCODE) == 0;
    }

    /// Does it hold one question and nothing that only answers hold?
    boolean hasShapeOfQuestion() {
        return questions == 1 && answers == 0 && authorities == 0 && additionals <= 1 && (flags & TRUNCATED) == 0;
    }

    /// The flags of an answer to this: what the client set and may expect back, and that recursion is at hand.
    int answerFlags(ResponseCode code) {
        return RESPONSE
                | (flags & (OPCODE | RECURSION_DESIRED | CHECKING_DISABLED))
                | RECURSION_AVAILABLE
                | code.lowBits();
    }
}
