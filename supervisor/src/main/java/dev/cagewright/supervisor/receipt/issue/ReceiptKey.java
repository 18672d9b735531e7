package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/// The key that receipts of one person are signed with: `receipt-key/key.secret.hex` and `key.pub.hex` in the state
/// folder, which no cage can reach. It is made when it is first needed; a pair of `audit keygen` can be put there
/// before.
///
/// @param open the public half
/// @param file where the public half is
/// @param isNew whether it was made just now
public record ReceiptKey(SigningKey secret, PinnedKey open, Path file, boolean isNew) {
    private static final String FOLDER = "receipt-key";
    private static final String NAME = "key";

    /// Reads the key, or makes one.
    ///
    /// @throws IOException if there is one that cannot be read, or none and none can be made
    public static ReceiptKey of(StateFolders folders) throws IOException {
        folders.sessions();
        var folder = folders.state().resolve(FOLDER);
        boolean isNew = !Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && make(folders.state(), folder);
        var file = publicFile(folders);
        return new ReceiptKey(SigningKey.read(folder.resolve(NAME + ".secret.hex")), PinnedKey.read(file), file, isNew);
    }

    /// Where the public half is, if there is a key at all.
    public static Path publicFile(StateFolders folders) {
        return folders.state().resolve(FOLDER).resolve(NAME + ".pub.hex");
    }

    /// The pair appears under its name whole or not at all; of two that make one at once, one wins.
    private static boolean make(Path state, Path folder) throws IOException {
        var fresh = Files.createTempDirectory(
                state,
                FOLDER + ".new-",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            SigningKey.generate(fresh.resolve(NAME));
            OwnerFile.flushName(fresh.resolve(NAME));
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
            OwnerFile.flushName(folder);
            return true;
        } catch (FileSystemException e) {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            throw e;
        } finally {
            remove(fresh);
        }
    }

    private static void remove(Path fresh) throws IOException {
        Files.deleteIfExists(fresh.resolve(NAME + ".secret.hex"));
        Files.deleteIfExists(fresh.resolve(NAME + ".pub.hex"));
        Files.deleteIfExists(fresh);
    }
}
