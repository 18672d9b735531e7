package dev.cagewright.egress.inspect.credential;

import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// What may be a credential, while its bytes come: a prefix was seen, and so far everything fits. Never goes back.
final class Candidate {
    private static final int CHECKED_LENGTH = 36;
    private static final int CHECKSUM_LENGTH = 6;
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final Format format;
    private final long start;
    private final byte @Nullable [] kept;
    private int length;
    private int part;
    private int inPart;

    /// What a byte made of it.
    enum Standing {
        OPEN,
        FOUND,
        GONE
    }

    /// @param start where its first byte behind the prefix stands
    Candidate(Format format, long start) {
        this.format = format;
        this.start = start;
        this.kept = format.check() == Format.Check.CRC_BASE62 ? new byte[CHECKED_LENGTH] : null;
    }

    Format format() {
        return format;
    }

    long start() {
        return start;
    }

    Standing accept(int value) {
        while (true) {
            var now = format.parts().get(part);
            boolean fits = now.bytes().has(value);
            if (fits && inPart < now.most()) {
                return took(now, value);
            }
            boolean isLast = part == format.parts().size() - 1;
            if (inPart < now.least() || isLast) {
                return isLast && !fits ? atEnd() : Standing.GONE;
            }
            part++;
            inPart = 0;
        }
    }

    private Standing took(Part now, int value) {
        if (kept != null && length < kept.length) {
            kept[length] = (byte) value;
        }
        length++;
        inPart++;
        boolean isLast = part == format.parts().size() - 1;
        return isLast && now.isOpen() && inPart >= now.least() ? verdict() : Standing.OPEN;
    }

    /// Nothing that belongs to it follows.
    Standing atEnd() {
        boolean isLast = part == format.parts().size() - 1;
        return isLast && inPart >= format.parts().get(part).least() ? verdict() : Standing.GONE;
    }

    private Standing verdict() {
        return kept == null || isChecked(kept) ? Standing.FOUND : Standing.GONE;
    }

    private static boolean isChecked(byte[] token) {
        var crc = new CRC32();
        crc.update(token, 0, CHECKED_LENGTH - CHECKSUM_LENGTH);
        long rest = crc.getValue();
        for (int i = CHECKED_LENGTH - 1; i >= CHECKED_LENGTH - CHECKSUM_LENGTH; i--) {
            if (token[i] != BASE62.charAt((int) (rest % 62))) {
                return false;
            }
            rest /= 62;
        }
        return rest == 0;
    }
}
