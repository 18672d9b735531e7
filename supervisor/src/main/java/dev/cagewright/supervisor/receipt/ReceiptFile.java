package dev.cagewright.supervisor.receipt;

import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Where receipts are.
public final class ReceiptFile {
    private static final String NAME = "receipt.json";

    private ReceiptFile() {}

    /// The receipt of the session whose folder is `folder`.
    public static Path in(Path folder) {
        return folder.resolve(NAME);
    }

    /// The bytes of a receipt's file.
    ///
    /// @throws IOException if there is none, or it is larger than a receipt can be
    public static byte[] read(Path file) throws IOException {
        try {
            return OwnerFile.read(file, Envelope.MAX_BYTES);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no receipt at " + file, e);
        }
    }
}
