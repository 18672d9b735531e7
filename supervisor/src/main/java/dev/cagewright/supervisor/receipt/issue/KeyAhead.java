package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.supervisor.receipt.Envelope;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The receipt key, read on a thread of its own from the moment on when it is clear that there will be a receipt: a
/// first signature takes longer than most of a run. Makes none where there is none yet. Safe for all threads.
public final class KeyAhead {
    private final StateFolders folders;
    private final FutureTask<Optional<ReceiptKey>> read;

    private KeyAhead(StateFolders folders) {
        this.folders = folders;
        this.read = new FutureTask<>(this::readIfThere);
    }

    /// Begins to read.
    public static KeyAhead begin(StateFolders folders) {
        var ahead = new KeyAhead(folders);
        Thread.ofPlatform().daemon().name("receipt-key").start(ahead.read);
        return ahead;
    }

    private Optional<ReceiptKey> readIfThere() throws IOException {
        if (!Files.exists(ReceiptKey.publicFile(folders), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        var key = ReceiptKey.of(folders);
        Envelope.sign(new byte[0], key.secret(), key.open());
        return Optional.of(key);
    }

    /// The key, made now if there is none. Waits for it.
    ///
    /// @throws IOException if there is one that cannot be read, or none and none can be made
    ReceiptKey key() throws IOException, InterruptedException {
        try {
            var there = read.get();
            return there.isPresent() ? there.get() : ReceiptKey.of(folders);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        }
    }
}
