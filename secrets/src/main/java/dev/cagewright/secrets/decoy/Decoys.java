package dev.cagewright.secrets.decoy;

import dev.cagewright.secrets.value.SecretValue;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.zip.CRC32;

/// Makes decoys: ASCII without blanks, at least [#BITS] of them random, about as long as the value and never much
/// longer
/// than [#LONGEST]. The prefix, the length, the alphabet and the checksum are those of the vendor's form where the
/// value
/// has one; a form with too few random characters gets more. Of a value of no known form the length, the kinds of its
/// letters and the places of `.`, `-` and the like are kept; of one that is no text only the length. Safe for all
/// threads.
public final class Decoys {
    /// As much of a decoy is random, bits.
    public static final int BITS = 128;

    /// The longest value that is followed to its end, bytes: a decoy has to fit into a variable and a header.
    public static final int LONGEST = 4_096;

    /// The longest web token whose claims are kept, bytes.
    private static final int LONGEST_TOKEN = 16_384;

    private static final String PUNCTUATION = "._-:/+=@~";
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int CHECKED = 36;
    private static final int CHECKSUM = 6;
    /// `exp`, RFC 7519 section 4.1.4: the year 2100.
    private static final long LATE = 4_102_444_800L;

    private final SecureRandom random;

    public Decoys(SecureRandom random) {
        this.random = random;
    }

    /// A fresh decoy for `value`, which it is not.
    public byte[] like(SecretValue value) {
        while (true) {
            var decoy = value.lend(this::drawn).getBytes(StandardCharsets.US_ASCII);
            if (!value.matches(decoy)) {
                return decoy;
            }
        }
    }

    /// A fresh decoy for a token that a log-in gave. Of a JSON web token head and claims stay, which whoever holds the
    /// token reads, and the signature is random: nothing takes it for good. Everything else as [#like].
    public byte[] likeToken(SecretValue value) {
        while (true) {
            var decoy = value.lend(this::token);
            if (!value.matches(decoy)) {
                return decoy;
            }
        }
    }

    private byte[] token(byte[] value) {
        int length = Math.min(value.length, LONGEST_TOKEN);
        int dot = isText(value, length) ? webTokensHead(value, length) : 0;
        if (dot == 0 || length < value.length) {
            return drawn(value).getBytes(StandardCharsets.US_ASCII);
        }
        int last = length - 1;
        while (value[last] != '.') {
            last--;
        }
        var draft = new Draft();
        draft.text.append(new String(value, 0, last + 1, StandardCharsets.US_ASCII));
        return filled(draft, Alphabet.BASE64URL, length - last - 1).getBytes(StandardCharsets.US_ASCII);
    }

    private String drawn(byte[] value) {
        int length = Math.min(value.length, LONGEST);
        if (!isText(value, length)) {
            return filled(new Draft(), Alphabet.ALPHANUMERIC, length);
        }
        int dot = webTokensHead(value, length);
        if (dot > 0) {
            return webToken(new String(value, 0, dot, StandardCharsets.US_ASCII), length);
        }
        return KeyShape.of(value).map(shape -> shaped(shape, value, length)).orElseGet(() -> alike(value, length));
    }

    private static boolean isText(byte[] value, int length) {
        for (int i = 0; i < length; i++) {
            if (value[i] <= ' ' || value[i] > '~') {
                return false;
            }
        }
        return true;
    }

    /// Where the head of a JSON web token ends (RFC 7519), which is no secret; 0 if this is none.
    private static int webTokensHead(byte[] value, int length) {
        if (length < 4 || value[0] != 'e' || value[1] != 'y' || value[2] != 'J') {
            return 0;
        }
        int first = 0;
        int dots = 0;
        for (int i = 0; i < length; i++) {
            if (value[i] == '.') {
                dots++;
                first = first == 0 ? i : first;
            } else if (!isWordOrDash(value[i])) {
                return 0;
            }
        }
        return dots == 2 ? first : 0;
    }

    private static boolean isWordOrDash(byte one) {
        return isLetterOrDigit(one) || one == '-' || one == '_';
    }

    private static boolean isLetterOrDigit(byte one) {
        return (one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z');
    }

    /// The claims are a decoy's own: clients look when a token ends.
    private String webToken(String head, int length) {
        var claims = "{\"exp\":" + LATE + ",\"jti\":\"" + filled(new Draft(), Alphabet.ALPHANUMERIC, 22) + "\"}";
        var draft = new Draft();
        draft.text
                .append(head)
                .append('.')
                .append(Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(claims.getBytes(StandardCharsets.US_ASCII)))
                .append('.');
        return filled(draft, Alphabet.BASE64URL, Math.max(43, length - draft.text.length()));
    }

    private String shaped(KeyShape shape, byte[] value, int length) {
        var draft = new Draft();
        draft.text.append(shape.prefix());
        if (shape.ending() == KeyShape.Ending.CHECKED && length - shape.prefix().length() == CHECKED) {
            return checked(draft);
        }
        for (int i = shape.prefix().length(); i < length; i++) {
            if (shape.kept().indexOf(value[i]) >= 0) {
                draft.text.append((char) value[i]);
            } else {
                draft.add(shape.alphabet(), 1);
            }
        }
        return filled(draft, shape.alphabet(), 0);
    }

    private String checked(Draft draft) {
        int start = draft.text.length();
        draft.add(Alphabet.ALPHANUMERIC, CHECKED - CHECKSUM);
        var crc = new CRC32();
        crc.update(draft.text.substring(start).getBytes(StandardCharsets.US_ASCII));
        var sum = new StringBuilder();
        for (long rest = crc.getValue(); sum.length() < CHECKSUM; rest /= BASE62.length()) {
            sum.append(BASE62.charAt((int) (rest % BASE62.length())));
        }
        return draft.text.append(sum.reverse()).toString();
    }

    private String alike(byte[] value, int length) {
        var draft = new Draft();
        var alphabet = Alphabet.of(value, length);
        for (int i = 0; i < length; i++) {
            if (PUNCTUATION.indexOf(value[i]) >= 0) {
                draft.text.append((char) value[i]);
            } else {
                draft.add(isLetterOrDigit(value[i]) ? alphabet : Alphabet.ALPHANUMERIC, 1);
            }
        }
        return filled(draft, alphabet, 0);
    }

    /// Adds `count` characters, and as many more as it takes to [#BITS].
    private static String filled(Draft draft, Alphabet alphabet, int count) {
        draft.add(alphabet, count);
        int missing = (int) Math.ceil((BITS - draft.bits) / alphabet.bits());
        draft.add(alphabet, Math.max(0, missing));
        return draft.text.toString();
    }

    private final class Draft {
        private final StringBuilder text = new StringBuilder();
        private double bits;

        void add(Alphabet alphabet, int count) {
            alphabet.append(text, count, random);
            bits += count * alphabet.bits();
        }
    }
}
