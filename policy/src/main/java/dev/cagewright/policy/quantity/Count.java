package dev.cagewright.policy.quantity;

/// How many of something, 1 to 2147483647, spelt in plain digits.
public record Count(int value) implements Comparable<Count> {
    public Count {
        if (value < 1) {
            throw new IllegalArgumentException("count: " + value + " (expected: at least 1)");
        }
    }

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field`, the bounds and, where loaders disagree, both readings
    public static Count parse(String field, String text) {
        return new Count((int) Digits.between(field, text, 1, Integer.MAX_VALUE));
    }

    /// A TCP port, 1 to 65535.
    ///
    /// @throws IllegalArgumentException naming `field`, the bounds and, where loaders disagree, both readings
    public static int parsePort(String field, String text) {
        return (int) Digits.between(field, text, 1, 65_535);
    }

    @Override
    public int compareTo(Count other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Integer.toString(value);
    }
}
