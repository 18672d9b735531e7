package dev.cagewright.supervisor.state;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// The bytes of policies that runs were under, each once, named by digest: a policy file may be edited afterwards.
/// Safe for all threads and processes.
public final class PolicyArchive {
    private static final int LARGEST = 1 << 20;

    private final StateFolders folders;

    public PolicyArchive(StateFolders folders) {
        this.folders = folders;
    }

    /// Keeps a policy.
    ///
    /// @param sha256 of `bytes`, 64 digits
    public void keep(String sha256, ByteString bytes) throws IOException {
        var file = folders.policies().resolve(name(sha256));
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        OwnerFile.write(file, bytes.toByteArray());
    }

    /// The policy with this digest, unchecked; empty when it was not kept.
    public Optional<ByteString> find(String sha256) throws IOException {
        Path file = folders.policies().resolve(name(sha256));
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(ByteString.copyOf(OwnerFile.read(file, LARGEST)));
    }

    private static String name(String sha256) {
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("digest: " + ByteString.of(sha256) + " (expected: 64 digits)");
        }
        return sha256 + ".yaml";
    }
}
