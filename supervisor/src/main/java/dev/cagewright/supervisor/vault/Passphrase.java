package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.StoreKey;
import java.util.Arrays;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/// A key of a passphrase by Argon2id (RFC 9106), with the second recommended setting of its section 4: three passes
/// over
/// 64 MiB, four lanes.
final class Passphrase {
    private static final int PASSES = 3;
    private static final int KIBIBYTES = 64 * 1024;
    private static final int LANES = 4;

    private Passphrase() {}

    /// @param passphrase stays the caller's
    static StoreKey key(byte[] passphrase, byte[] salt) {
        var generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withIterations(PASSES)
                .withMemoryAsKB(KIBIBYTES)
                .withParallelism(LANES)
                .withSalt(salt)
                .build());
        var bytes = new byte[StoreKey.SIZE];
        try {
            generator.generateBytes(passphrase, bytes);
            return StoreKey.copyOf(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
