package dev.cagewright.audit.note;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cagewright.audit.key.PinnedKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// Whose signature a note must carry. As text it is a verifier key: `<name>+<key id>+<base64 of type and key>`.
///
/// @param name as in the signature line
/// @param type what is signed, and how
/// @param key the Ed25519 public key
public record NoteKey(String name, Algorithm type, PinnedKey key) {
    /// The signature types of c2sp.org/signed-note that are understood here.
    public enum Algorithm {
        /// Ed25519 over the note's text.
        NOTE((byte) 0x01),
        /// A witness' Ed25519 over `cosignature/v1`, a time and the note's text.
        COSIGNATURE((byte) 0x04);

        private final byte id;

        Algorithm(byte id) {
            this.id = id;
        }
    }

    /// What a note says about a key.
    public enum Finding {
        /// No line of that name and key id.
        ABSENT,
        /// All such lines are right.
        SIGNED,
        /// Such a line is wrong: the note must be refused, whatever else it carries.
        FORGED
    }

    private static final int LONGEST = 4096;
    private static final int TIME = 8;
    private static final int SIGNATURE = 64;

    public NoteKey {
        if (!NoteSignature.isName(name)) {
            throw new IllegalArgumentException(
                    "key name: \"" + name + "\" (expected: not empty, without spaces, controls and +)");
        }
    }

    /// Reads a verifier key.
    ///
    /// @throws IllegalArgumentException if it is none, or of a type that is not understood
    public static NoteKey parse(String text) {
        var parts = text.split("\\+", 3);
        if (parts.length == 3) {
            var material = Base64.getDecoder().decode(parts[2]);
            for (var type : Algorithm.values()) {
                if (material.length == 33 && material[0] == type.id) {
                    var key = new NoteKey(
                            parts[0], type, PinnedKey.ofBytes(Arrays.copyOfRange(material, 1, material.length)));
                    return key.same(text);
                }
            }
        }
        throw new IllegalArgumentException("verifier key: " + text.length()
                + " characters (expected: name+id+key, the key an Ed25519 one of type 1 or 4)");
    }

    /// Reads a file with one verifier key.
    ///
    /// @throws IOException if it cannot be read or holds anything else
    public static NoteKey read(Path file) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST);
        try (var in = FileChannel.open(file, StandardOpenOption.READ)) {
            while (buffer.hasRemaining() && in.read(buffer) > 0) {}
        }
        try {
            return parse(new String(buffer.array(), 0, buffer.position(), UTF_8).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException("key file " + file + " holds no verifier key: " + e.getMessage(), e);
        }
    }

    private NoteKey same(String text) {
        if (!text().equals(text)) {
            throw new IllegalArgumentException(
                    "verifier key: its key id does not belong to its name and key (expected: "
                            + HexFormat.of().formatHex(id()) + ")");
        }
        return this;
    }

    /// The first four bytes of SHA-256 over name, line feed, type and key.
    public byte[] id() {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            sha.update(name.getBytes(UTF_8));
            sha.update((byte) '\n');
            sha.update(type.id);
            sha.update(key.bytes());
            return Arrays.copyOf(sha.digest(), 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    /// The verifier key.
    public String text() {
        var material = ByteBuffer.allocate(33).put(type.id).put(key.bytes()).array();
        return name + "+" + HexFormat.of().formatHex(id()) + "+"
                + Base64.getEncoder().encodeToString(material);
    }

    /// Looks for this key's signatures on `note`.
    public Finding findOn(SignedNote note) {
        var finding = Finding.ABSENT;
        for (var line : note.signatures()) {
            if (line.name().equals(name) && Arrays.equals(line.keyId(), id())) {
                if (!verifies(note.text(), line.signature())) {
                    return Finding.FORGED;
                }
                finding = Finding.SIGNED;
            }
        }
        return finding;
    }

    private boolean verifies(String text, byte[] signature) {
        return switch (type) {
            case NOTE -> key.signed(text.getBytes(UTF_8), signature);
            case COSIGNATURE -> {
                if (signature.length != TIME + SIGNATURE) {
                    yield false;
                }
                long time = ByteBuffer.wrap(signature).getLong();
                yield time >= 0
                        && key.signed(cosigned(time, text), Arrays.copyOfRange(signature, TIME, signature.length));
            }
        };
    }

    /// What a witness signs at `time`, in seconds since 1970.
    static byte[] cosigned(long time, String text) {
        return ("cosignature/v1\ntime " + time + "\n" + text).getBytes(UTF_8);
    }
}
