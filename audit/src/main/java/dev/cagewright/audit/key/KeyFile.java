package dev.cagewright.audit.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// 32 bytes in a file, as 64 hexadecimal digits and a line end. Works on bytes only, so that a key's digits never
/// stand in a string that cannot be wiped.
final class KeyFile {
    static final int KEY_LENGTH = 32;

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private KeyFile() {}

    /// Writes a file that did not exist.
    ///
    /// @param mode e.g. `rw-------`
    static void create(Path path, byte[] key, String mode) throws IOException {
        var digits = new byte[2 * KEY_LENGTH + 1];
        for (int i = 0; i < KEY_LENGTH; i++) {
            digits[2 * i] = digit(key[i] >> 4);
            digits[2 * i + 1] = digit(key[i]);
        }
        digits[2 * KEY_LENGTH] = '\n';
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var permissions = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
        try (var out = FileChannel.open(path, options, permissions)) {
            out.write(ByteBuffer.wrap(digits));
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("key file " + path + " exists already: choose another name or move it away", e);
        } finally {
            Arrays.fill(digits, (byte) 0);
        }
    }

    /// @throws IOException if the file holds anything else than one key
    static byte[] read(Path path) throws IOException {
        var buffer = ByteBuffer.allocate(2 * KEY_LENGTH + 3);
        try (var in = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            while (buffer.hasRemaining() && in.read(buffer) > 0) {}
            return parse(buffer.array(), buffer.position(), path);
        } finally {
            Arrays.fill(buffer.array(), (byte) 0);
        }
    }

    /// @throws IOException if anybody but the owner may read or write the file
    static void ownersAlone(Path path) throws IOException {
        var found = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (found.stream().anyMatch(OTHERS::contains)) {
            throw new IOException("secret key " + path + " is open to others (" + PosixFilePermissions.toString(found)
                    + "): run chmod 600 on it, and make a new key if others may have read it");
        }
    }

    private static byte[] parse(byte[] text, int length, Path path) throws IOException {
        int digits = length;
        while (digits > 0 && (text[digits - 1] == '\n' || text[digits - 1] == '\r')) {
            digits--;
        }
        var key = new byte[KEY_LENGTH];
        boolean valid = digits == 2 * KEY_LENGTH;
        for (int i = 0; valid && i < KEY_LENGTH; i++) {
            int high = Character.digit(text[2 * i], 16);
            int low = Character.digit(text[2 * i + 1], 16);
            valid = high >= 0 && low >= 0;
            key[i] = (byte) (high << 4 | low);
        }
        if (!valid) {
            throw new IOException("key file " + path + " does not hold 64 hexadecimal digits and nothing else");
        }
        return key;
    }

    private static byte digit(int value) {
        return (byte) Character.forDigit(value & 0xf, 16);
    }
}
