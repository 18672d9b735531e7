package dev.cagewright.supervisor.token;

import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/// Keys and tokens in files of their owner's. Both are secrets, so neither is ever taken from a command line, and
/// links are not followed.
public final class TokenFiles {
    /// More than any token has; what is larger is refused by whoever verifies it.
    private static final int MOST_TOKEN = 128 * 1024;

    private static final int MOST_KEY = 256;

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private TokenFiles() {}

    /// Makes a key of 256 random bits and writes it into a file that did not exist, mode 0600.
    ///
    /// @return the key; whoever asked closes it
    public static TokenKey create(Path file) throws IOException {
        var bytes = new byte[TokenKey.LENGTH];
        new SecureRandom().nextBytes(bytes);
        var key = TokenKey.of(bytes);
        Arrays.fill(bytes, (byte) 0);
        var digits = key.digits();
        try {
            writeNew(file, digits, "the key file");
            return key;
        } catch (IOException | RuntimeException e) {
            key.close();
            throw e;
        } finally {
            Arrays.fill(digits, (byte) 0);
        }
    }

    /// Reads a key's file.
    ///
    /// @return the key; whoever asked closes it
    /// @throws IOException if it holds anything else, or others may read or write it
    public static TokenKey key(Path file) throws IOException {
        ownersAlone(file, "the token key", "make a new one if others may have read it");
        var text = OwnerFile.read(file, MOST_KEY);
        try {
            return TokenKey.ofHex(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /// Reads the text of a token, be it one or not, from where a person says it is.
    ///
    /// @param from a file's name, or `-` for the standard input
    /// @throws IllegalArgumentException if it is a token itself: it is known to everybody by then
    /// @throws IOException if it cannot be read, others may, or it is far too large
    public static byte[] read(String from) throws IOException {
        if (from.startsWith("cwt1.")) {
            throw new IllegalArgumentException("token: its text stands on the command line, where every program of this"
                    + " machine can read it (expected: a file, or - for the standard input; revoke this one)");
        }
        return from.equals("-") ? token(System.in) : token(Path.of(from).toAbsolutePath());
    }

    private static byte[] token(Path file) throws IOException {
        ownersAlone(file, "the token", "revoke it if others may have read it");
        return OwnerFile.read(file, MOST_TOKEN);
    }

    private static byte[] token(InputStream in) throws IOException {
        var text = in.readNBytes(MOST_TOKEN + 1);
        if (text.length > MOST_TOKEN) {
            throw new IOException("standard input: more than " + MOST_TOKEN + " bytes (expected: one token)");
        }
        return text;
    }

    /// Writes a token into a file that did not exist, mode 0600.
    public static void write(Path file, byte[] text) throws IOException {
        writeNew(file, text, "the token's file");
    }

    private static void writeNew(Path file, byte[] text, String what) throws IOException {
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = FileChannel.open(file, options, owner)) {
            var bytes = ByteBuffer.wrap(text);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(what + " " + file + " exists already: choose another name or move it away", e);
        }
    }

    private static void ownersAlone(Path file, String what, String otherwise) throws IOException {
        var found = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        if (found.stream().anyMatch(OTHERS::contains) && !Files.isSymbolicLink(file)) {
            throw new IOException(what + " " + file + " is open to others (" + PosixFilePermissions.toString(found)
                    + "): run chmod 600 on it, and " + otherwise);
        }
    }
}
