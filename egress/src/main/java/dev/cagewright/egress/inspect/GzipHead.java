package dev.cagewright.egress.inspect;

/// The head of a member of gzip, RFC 1952 section 2.3, byte by byte.
final class GzipHead {
    /// CRC and length, behind the data.
    static final int TRAILER = 8;

    private static final int FIXED = 10;
    private static final int CHECKED = 0x02;
    private static final int EXTRA = 0x04;
    private static final int NAME = 0x08;
    private static final int COMMENT = 0x10;
    private static final int RESERVED = 0xe0;

    private int count;
    private int flags;
    private int skip;
    private int lengthBytes;

    void reset() {
        count = 0;
        flags = 0;
        skip = 0;
        lengthBytes = 0;
    }

    /// Takes the next byte; says whether the head is over with it.
    ///
    /// @throws UnreadableException if it is none
    boolean accept(int value) throws UnreadableException {
        if (count < FIXED) {
            fixed(value);
            return count == FIXED && flags == 0;
        }
        if ((flags & EXTRA) != 0) {
            extra(value);
        } else if ((flags & (NAME | COMMENT)) != 0) {
            if (value == 0) {
                flags &= (flags & NAME) != 0 ? ~NAME : ~COMMENT;
            }
        } else {
            lengthBytes++;
            if (lengthBytes == 2) {
                flags &= ~CHECKED;
            }
        }
        return flags == 0;
    }

    private void fixed(int value) throws UnreadableException {
        boolean isRight = switch (count) {
            case 0 -> value == 0x1f;
            case 1 -> value == 0x8b;
            case 2 -> value == 8;
            case 3 -> (value & RESERVED) == 0;
            default -> true;
        };
        if (!isRight) {
            throw new UnreadableException("body.coding");
        }
        if (count == 3) {
            flags = value & ~1;
        }
        count++;
    }

    private void extra(int value) {
        if (lengthBytes < 2) {
            skip |= value << (8 * lengthBytes);
            lengthBytes++;
        } else {
            skip--;
        }
        if (lengthBytes == 2 && skip == 0) {
            flags &= ~EXTRA;
            lengthBytes = 0;
        }
    }
}
