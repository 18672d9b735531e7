package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/// The file that says how the key is protected: lines of text, an empty line, and what the protection made of the key.
final class KeyRecord {
    static final int MOST = 64 * 1024;

    private static final String FORM = "cagewright-key 1";

    private final Protection protection;
    private final String id;
    private final String salt;
    private final byte[] data;

    /// @param id of the key, so that another one is noticed
    /// @param salt of a passphrase, hexadecimal; empty for other protections
    /// @param data from now on owned by this
    KeyRecord(Protection protection, String id, String salt, byte[] data) {
        this.protection = protection;
        this.id = id;
        this.salt = salt;
        this.data = data;
    }

    Protection protection() {
        return protection;
    }

    String id() {
        return id;
    }

    /// Not to be changed.
    byte[] data() {
        return data;
    }

    byte[] write() {
        var out = new ByteArrayOutputStream();
        var head = FORM + "\nprotection " + protection.word() + "\nid " + id + "\nsalt " + salt + "\n\n";
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(data);
        return out.toByteArray();
    }

    /// @throws StoreException if it is no such file, of this or of a later version
    static KeyRecord read(Path file, byte[] bytes) throws StoreException {
        int end = endOfHead(bytes);
        var head = new String(bytes, 0, end, StandardCharsets.US_ASCII).split("\n", -1);
        if (!head[0].equals(FORM)) {
            throw refusal(file, "its form is not known here (expected: " + FORM + ")");
        }
        if (head.length < 4) {
            throw refusal(file, "ends early");
        }
        try {
            return new KeyRecord(
                    Protection.parse(field(head[1], "protection ")),
                    field(head[2], "id "),
                    field(head[3], "salt "),
                    Arrays.copyOfRange(bytes, Math.min(bytes.length, end + 2), bytes.length));
        } catch (IllegalArgumentException e) {
            throw refusal(file, String.valueOf(e.getMessage()));
        }
    }

    byte[] saltBytes() {
        return HexFormat.of().parseHex(salt);
    }

    private static int endOfHead(byte[] bytes) {
        for (int i = 0; i + 1 < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i + 1] == '\n') {
                return i;
            }
        }
        return bytes.length;
    }

    private static String field(String line, String name) {
        if (!line.startsWith(name)) {
            throw new IllegalArgumentException("a line is not \"" + name + "...\"");
        }
        return line.substring(name.length());
    }

    private static StoreException refusal(Path file, String why) {
        return new StoreException(file + ": " + why
                + "; restore it from a copy, or use the version of the product that wrote it: without it the secrets"
                + " cannot be opened");
    }
}
