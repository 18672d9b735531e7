package dev.cagewright.secrets.redact;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.IntPredicate;

/// Every spelling of a value that is looked for. The same bytes may come twice.
public final class Spellings {
    private static final String UNRESERVED = "-._~";
    /// What `encodeURIComponent` leaves as it is, ECMA-262 section 19.2.6.4.
    private static final String OF_COMPONENT = "-_.!~*'()";
    /// What the form serializer of the URL standard leaves as it is.
    private static final String OF_FORM = "*-._";

    private final byte[] value;
    private final Take take;

    private Spellings(byte[] value, Take take) {
        this.value = value;
        this.take = take;
    }

    /// Takes one spelling.
    @FunctionalInterface
    public interface Take {
        void take(Spelling spelling, byte[] bytes);
    }

    /// Tells all of them, in an order that depends on nothing but the length of `value`.
    public static void of(byte[] value, Take take) {
        var spellings = new Spellings(value, take);
        take.take(Spelling.PLAIN, value.clone());
        take.take(Spelling.REVERSED, reversed(value));
        spellings.base64();
        spellings.hex();
        spellings.percent();
        spellings.escapes();
    }

    private static byte[] reversed(byte[] value) {
        var reversed = new byte[value.length];
        for (int i = 0; i < value.length; i++) {
            reversed[i] = value[value.length - 1 - i];
        }
        return reversed;
    }

    /// Behind any number of other bytes: the letters that nothing but the value decides.
    private void base64() {
        for (int before = 0; before < 3; before++) {
            var shifted = new byte[before + value.length];
            System.arraycopy(value, 0, shifted, before, value.length);
            int from = (before * 8 + 5) / 6;
            int to = shifted.length * 8 / 6;
            var standard = cut(Base64.getEncoder().encode(shifted), from, to);
            take.take(Spelling.BASE64, standard);
            take.take(Spelling.BASE64, cut(Base64.getUrlEncoder().encode(shifted), from, to));
            take.take(
                    Spelling.BASE64,
                    percent(standard, letter(""), HexFormat.of().withUpperCase()));
            take.take(Spelling.BASE64, escaped(standard, c -> c == '/', HexFormat.of()));
        }
    }

    private static byte[] cut(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private void hex() {
        take.take(Spelling.HEX, ascii(HexFormat.of().formatHex(value)));
        take.take(Spelling.HEX, ascii(HexFormat.of().withUpperCase().formatHex(value)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void percent() {
        for (var digits : new HexFormat[] {HexFormat.of(), HexFormat.of().withUpperCase()}) {
            take.take(Spelling.PERCENT, percent(value, _ -> false, digits));
            take.take(Spelling.PERCENT, percent(value, letter(""), digits));
            take.take(Spelling.PERCENT, percent(value, letter(UNRESERVED), digits));
            take.take(Spelling.PERCENT, percent(value, letter(OF_COMPONENT), digits));
            take.take(Spelling.PERCENT, plussed(percent(value, letter(OF_FORM + " "), digits)));
        }
    }

    private static byte[] plussed(byte[] form) {
        for (int i = 0; i < form.length; i++) {
            form[i] = form[i] == ' ' ? (byte) '+' : form[i];
        }
        return form;
    }

    private static IntPredicate letter(String others) {
        return c ->
                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.indexOf(c) >= 0;
    }

    private static byte[] percent(byte[] value, IntPredicate kept, HexFormat digits) {
        var out = new ByteArrayOutputStream(3 * value.length);
        for (byte each : value) {
            if (kept.test(each & 0xff)) {
                out.write(each);
            } else {
                out.write('%');
                out.writeBytes(ascii(digits.toHexDigits(each)));
            }
        }
        return out.toByteArray();
    }

    /// As writers of JSON do by default: nothing more than has to be; the slash; what is odd in HTML; all that is not
    /// ASCII; everything.
    private void escapes() {
        for (var digits : new HexFormat[] {HexFormat.of(), HexFormat.of().withUpperCase()}) {
            take.take(Spelling.ESCAPED, escaped(value, _ -> false, digits));
            take.take(Spelling.ESCAPED, escaped(value, c -> c == '/', digits));
            take.take(Spelling.ESCAPED, escaped(value, c -> "<>&".indexOf(c) >= 0, digits));
            take.take(Spelling.ESCAPED, escaped(value, c -> "<>&'+`".indexOf(c) >= 0, digits));
            take.take(Spelling.ESCAPED, escaped(value, c -> c >= 0x7f, digits));
            take.take(Spelling.ESCAPED, escaped(value, _ -> true, digits));
        }
    }

    private static byte[] escaped(byte[] value, IntPredicate more, HexFormat digits) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            var out = new ByteArrayOutputStream(6 * value.length);
            while (text.hasRemaining()) {
                char c = text.get();
                if (!Character.isSurrogate(c) || more.test(c)) {
                    write(c, more, digits, out);
                } else {
                    out.writeBytes(new String(new char[] {c, text.get()}).getBytes(StandardCharsets.UTF_8));
                }
            }
            return out.toByteArray();
        } catch (CharacterCodingException _) {
            return value.clone(); // no string of JSON holds it
        }
    }

    private static void write(char c, IntPredicate more, HexFormat digits, ByteArrayOutputStream out) {
        int shorter = "\"\\\b\f\n\r\t".indexOf(c);
        boolean isAll = more.test('a');
        if (c == '/' && more.test(c) && !isAll) {
            out.writeBytes(ascii("\\/"));
        } else if (more.test(c) || (c < ' ' && shorter < 0)) {
            out.writeBytes(ascii("\\u" + digits.toHexDigits(c)));
        } else if (shorter >= 0) {
            out.write('\\');
            out.write("\"\\bfnrt".charAt(shorter));
        } else if (c < 0x80) {
            out.write(c);
        } else {
            out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        }
    }
}
