package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Field;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/// `inspect`: what is looked for in opened traffic.
///
/// @param secrets what happens when a stored secret or a decoy for elsewhere leaves
/// @param entropy what happens to bodies that look like noise
/// @param bodyMax the most of a body that is looked at
public record InspectSection(Optional<Reaction> secrets, Optional<Entropy> entropy, Optional<ByteSize> bodyMax) {

    /// The order is the order of strictness.
    public enum Reaction {
        OFF,
        FLAG,
        BLOCK;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Reaction parse(String field, String text) {
            return switch (text) {
                case "off" -> OFF;
                case "flag" -> FLAG;
                case "block" -> BLOCK;
                default -> throw Field.refusal(field, text, "off, flag or block");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// When a body looks like noise.
    ///
    /// @param above bits per byte, 0 to 8
    /// @param from the shortest body, in bytes, that is measured
    public record Entropy(BigDecimal above, Count from, Reaction then) {
        public Entropy {
            requireBits("inspect.entropy.above", above.toPlainString(), above);
        }

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted forms
        public static BigDecimal parseBits(String field, String text) {
            if (!text.matches("[0-8](\\.[0-9]{1,3})?")) {
                throw Field.refusal(field, text, "bits per byte from 0 to 8 with at most three places, e.g. 7.2");
            }
            var bits = new BigDecimal(text);
            requireBits(field, text, bits);
            return bits;
        }

        private static void requireBits(String field, String text, BigDecimal bits) {
            if (bits.signum() < 0 || bits.compareTo(BigDecimal.valueOf(8)) > 0) {
                throw Field.refusal(field, text, "bits per byte from 0 to 8 with at most three places, e.g. 7.2");
            }
        }
    }
}
