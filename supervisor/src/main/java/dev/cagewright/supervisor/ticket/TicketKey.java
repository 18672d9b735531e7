package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What tickets of one person are signed with: 256 random bits, 0600 in the state folder. Not a record: it is a secret.
/// Immutable.
final class TicketKey {
    private static final int LENGTH = 32;
    private static final String MAC = "HmacSHA256";

    private final byte[] bytes;

    private TicketKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The person's, made if there is none yet.
    ///
    /// @throws IOException if it cannot be read or made
    static TicketKey of(StateFolders folders) throws IOException {
        folders.sessions(); // makes the state folder, for its owner alone
        var file = folders.state().resolve("tickets.key");
        try {
            make(file);
        } catch (FileAlreadyExistsException _) {
            // it is read all the same
        }
        var bytes = OwnerFile.read(file, LENGTH);
        if (bytes.length != LENGTH) {
            throw new IOException(file + ": " + bytes.length + " bytes (expected: " + LENGTH
                    + "; remove it, and links that were given out lead nowhere)");
        }
        return new TicketKey(bytes);
    }

    private static void make(Path file) throws IOException {
        var bytes = new byte[LENGTH];
        new SecureRandom().nextBytes(bytes);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), owner)) {
            out.write(ByteBuffer.wrap(bytes));
            out.force(true);
        }
    }

    /// In base64url.
    String tag(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(text));
    }

    /// In constant time, whatever the given one is.
    boolean isTagOf(String text, String given) {
        return MessageDigest.isEqual(
                tag(text).getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] mac(String text) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(bytes, MAC));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + MAC, e);
        }
    }

    @Override
    public String toString() {
        return "a key that links are signed with";
    }
}
