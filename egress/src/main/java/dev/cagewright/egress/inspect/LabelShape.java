package dev.cagewright.egress.inspect;

import java.util.Optional;

/// Does a host name look as if it carried data? By the shape of its labels: how long they are, their entropy, and how
/// often they change between letters and digits, which what is encoded does and words do not.
final class LabelShape {
    /// Longer ones are rare; a label has at most 63.
    static final int LONG = 45;

    /// Shorter labels carry too little.
    static final int NOISY_FROM = 20;

    private static final double NOISY_BITS = 3.0;
    private static final int NOISY_CHANGES = 6;

    /// Longer names are rare; one has at most 253.
    static final int LONG_NAME = 120;

    private LabelShape() {}

    /// What is odd about `name`: `dns.long` or `dns.noise`.
    static Optional<String> oddity(String name) {
        var labels = name.split("\\.", -1);
        for (String label : labels) {
            if (label.length() > LONG) {
                return Optional.of("dns.long");
            }
            if (label.length() >= NOISY_FROM && changes(label) >= NOISY_CHANGES && bits(label) > NOISY_BITS) {
                return Optional.of("dns.noise");
            }
        }
        return name.length() > LONG_NAME ? Optional.of("dns.long") : Optional.empty();
    }

    private static int changes(String label) {
        int changes = 0;
        for (int i = 1; i < label.length(); i++) {
            char before = label.charAt(i - 1);
            char now = label.charAt(i);
            boolean isChange = (isDigit(before) && isLetter(now)) || (isLetter(before) && isDigit(now));
            changes += isChange ? 1 : 0;
        }
        return changes;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    /// Shannon's entropy of the label's characters, in bits each.
    private static double bits(String label) {
        var counts = new int[128];
        for (int i = 0; i < label.length(); i++) {
            counts[label.charAt(i) & 0x7f]++;
        }
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / label.length();
                bits -= share * Math.log(share) / Math.log(2);
            }
        }
        return bits;
    }
}
