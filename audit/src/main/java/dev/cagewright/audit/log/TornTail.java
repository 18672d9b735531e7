package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/// What a crash left behind the last line end: kept beside the log as `<log>.torn-<n>`, never thrown away.
final class TornTail {
    private static final int MOST = 10_000;

    private final Path log;
    private final LogFile file;

    TornTail(Path log, LogFile file) {
        this.log = log;
        this.file = file;
    }

    /// Is `rest` the whole next line, but for the line end?
    ///
    /// @param walker at the last whole line; is used up
    boolean lacksOnlyItsEnd(ChainWalker walker, byte[] rest) {
        try {
            walker.next(rest);
            return true;
        } catch (BrokenChainException _) {
            return false;
        }
    }

    /// Gives the last line its end. Returns what to note.
    JsonObject complete(Head last) throws IOException {
        file.write(ByteBuffer.wrap(new byte[] {'\n'}), last.end() - 1);
        file.force();
        return Json.object().put("line_end_added", last.seq()).build();
    }

    /// Moves `rest` into a file of its own. Returns what to note.
    JsonObject setAside(Head last, byte[] rest) throws IOException {
        var kept = keep(rest);
        file.truncate(last.end());
        file.force();
        return Json.object()
                .put("torn_bytes", rest.length)
                .put("sha256", sha256(rest))
                .put("kept", String.valueOf(kept.getFileName()))
                .build();
    }

    private Path keep(byte[] rest) throws IOException {
        for (int n = 1; n <= MOST; n++) {
            var name = log.resolveSibling(log.getFileName() + ".torn-" + n);
            try (var out = FileChannel.open(
                    name, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), LogFile.PRIVATE_FILE)) {
                var bytes = ByteBuffer.wrap(rest);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            } catch (FileAlreadyExistsException _) {
                continue;
            }
            LogFile.forceFolder(log);
            return name;
        }
        throw new IOException("audit log " + log + " has " + MOST + " torn tails beside it: move them away");
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }
}
