package dev.cagewright.secrets.decoy;

import java.security.SecureRandom;
import java.util.List;

/// Characters that a key is written in, each as likely as any other.
enum Alphabet {
    DIGITS("0123456789"),
    HEX("0123456789abcdef"),
    CAPITAL_HEX("0123456789ABCDEF"),
    BASE32("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    SMALL("abcdefghijklmnopqrstuvwxyz0123456789"),
    CAPITAL("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    ALPHANUMERIC("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
    BASE64URL("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    /// Narrowest first.
    private static final List<Alphabet> USUAL = List.of(DIGITS, HEX, CAPITAL_HEX, SMALL, CAPITAL, ALPHANUMERIC);

    private final String characters;
    private final double bits;

    Alphabet(String characters) {
        this.characters = characters;
        this.bits = Math.log(characters.length()) / Math.log(2);
    }

    /// The narrowest that has all letters and digits among the first `length` characters.
    static Alphabet of(byte[] value, int length) {
        return USUAL.stream()
                .filter(each -> each.hasAll(value, length))
                .findFirst()
                .orElse(ALPHANUMERIC);
    }

    private boolean hasAll(byte[] value, int length) {
        for (int i = 0; i < length; i++) {
            if (Character.isLetterOrDigit(value[i]) && characters.indexOf(value[i]) < 0) {
                return false;
            }
        }
        return true;
    }

    /// How much one character tells.
    double bits() {
        return bits;
    }

    void append(StringBuilder text, int count, SecureRandom random) {
        for (int i = 0; i < count; i++) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
    }
}
