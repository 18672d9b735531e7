package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Keeps the memory of this process, and of those that it starts from now on, out of core files: core(5),
/// `coredump_filter`. It holds for handlers that the kernel pipes a core into, too, which a limit on its size does not.
final class CoreDumps {
    private static final Path FILTER = Path.of("/proc/self/coredump_filter");

    private CoreDumps() {}

    /// From now on.
    ///
    /// @throws StoreException if the kernel writes core files and does not take this; no key is to be opened then
    static void leaveMemoryOut() throws StoreException {
        try {
            Files.writeString(FILTER, "0");
        } catch (NoSuchFileException _) {
            return; // this kernel writes none
        } catch (IOException e) {
            throw new StoreException(
                    FILTER + ": cannot be written, so a core file could hold secrets: " + e.getMessage()
                            + " (mount /proc writable for its owner)",
                    e);
        }
    }
}
