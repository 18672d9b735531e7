package dev.cagewright.policy.quantity;

/// An amount of bytes, at least 1. Spelt as digits and a binary unit: `B`, `KiB` (1024 bytes), `MiB`, `GiB` or
/// `TiB`. `K`, `M`, `G`, `KB` and the like are refused, because half of the world means 1000 by them; so is a
/// number without a unit.
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final String EXPECTED =
            "digits and B, KiB, MiB, GiB or TiB, e.g. 512MiB, more than 0 and" + " less than 2^63 bytes";

    public ByteSize {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: at least 1)");
        }
    }

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static ByteSize parse(String field, String text) {
        int unitAt = 0;
        while (unitAt < text.length() && text.charAt(unitAt) >= '0' && text.charAt(unitAt) <= '9') {
            unitAt++;
        }
        long factor = switch (text.substring(unitAt)) {
            case "B" -> 1;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            case "TiB" -> 1L << 40;
            default -> throw Field.refusal(field, text, EXPECTED);
        };
        long number = Digits.parseOrNegative(text.substring(0, unitAt));
        if (number < 1) {
            throw Field.refusal(field, text, EXPECTED);
        }
        try {
            return new ByteSize(Math.multiplyExact(number, factor));
        } catch (ArithmeticException _) {
            throw Field.refusal(field, text, EXPECTED);
        }
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /// The spelling with the largest unit that is exact.
    @Override
    public String toString() {
        for (int unit = 4; unit > 0; unit--) {
            long factor = 1L << (10 * unit);
            if (bytes % factor == 0) {
                return bytes / factor + "" + "_KMGT".charAt(unit) + "iB";
            }
        }
        return bytes + "B";
    }
}
