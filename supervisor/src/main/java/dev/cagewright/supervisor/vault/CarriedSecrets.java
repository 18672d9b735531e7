package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.store.StoreKey;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;

/// A store in a file of its own, sealed under a passphrase, that is carried from one machine to another. Holds its key;
/// whoever opens it closes it.
///
/// @param store may be empty, or none of this passphrase
public record CarriedSecrets(StoreKey key, SecretStore store) implements AutoCloseable {
    /// Bytes of salt.
    private static final int SALT = 16;

    /// Opens one.
    ///
    /// @param passphrase stays the caller's
    /// @param salt as [#salt] makes one
    public static CarriedSecrets at(Path file, byte[] passphrase, byte[] salt) throws StoreException {
        CoreDumps.leaveMemoryOut();
        if (salt.length != SALT) {
            throw new IllegalArgumentException("salt: " + salt.length + " bytes (expected: " + SALT + ")");
        }
        var key = Passphrase.key(passphrase, salt);
        return new CarriedSecrets(key, new SecretStore(file, "a backup", key, InstantSource.system()));
    }

    /// A fresh one.
    public static byte[] salt() {
        var salt = new byte[SALT];
        new SecureRandom().nextBytes(salt);
        return salt;
    }

    @Override
    public void close() {
        key.close();
    }
}
