package dev.cagewright.audit.note;

import java.util.Arrays;
import java.util.Base64;

/// One signature line of a note.
///
/// @param name the key's name: not empty, without spaces, controls and `+`
/// @param value key id and signature in base64, the one form of its bytes; at least five bytes
public record NoteSignature(String name, String value) {
    static final String DASH = "\u2014 ";
    private static final int KEY_ID = 4;

    public NoteSignature {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "key name: " + name.length() + " characters (expected: not empty, without spaces, controls and +)");
        }
        var bytes = Base64.getDecoder().decode(value);
        if (bytes.length <= KEY_ID || !Base64.getEncoder().encodeToString(bytes).equals(value)) {
            throw new IllegalArgumentException("signature: not base64 of a key id and a signature");
        }
    }

    /// The line that `keyId` and `signature` make.
    static NoteSignature of(String name, byte[] keyId, byte[] signature) {
        var value = Arrays.copyOf(keyId, KEY_ID + signature.length);
        System.arraycopy(signature, 0, value, KEY_ID, signature.length);
        return new NoteSignature(name, Base64.getEncoder().encodeToString(value));
    }

    static boolean isName(String name) {
        return !name.isEmpty()
                && name.codePoints()
                        .noneMatch(c -> c == '+'
                                || c <= ' '
                                || Character.isWhitespace(c)
                                || Character.isSpaceChar(c)
                                || Character.isISOControl(c));
    }

    /// Four bytes.
    byte[] keyId() {
        return Arrays.copyOf(Base64.getDecoder().decode(value), KEY_ID);
    }

    /// What follows the key id.
    byte[] signature() {
        var bytes = Base64.getDecoder().decode(value);
        return Arrays.copyOfRange(bytes, KEY_ID, bytes.length);
    }

    /// The line with its line end.
    String line() {
        return DASH + name + " " + value + "\n";
    }
}
