package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// Which log a file is, by its first line.
final class LogId {
    private static final int PIECE = 4096;

    private LogId() {}

    /// The log's id, 32 digits.
    ///
    /// @throws IOException if the file does not begin like a log
    static String of(Path log) throws IOException {
        try (var file = FileChannel.open(log, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            var line = LineFormat.parse(firstLine(file));
            var id = line.event().detail().text("log").orElse("");
            if (line.seq() == 1 && !id.isEmpty()) {
                return id;
            }
        } catch (LineSyntaxException e) {
            throw new IOException("audit log " + log + ": line 1: " + e.getMessage(), e);
        }
        throw new IOException("audit log " + log + ": line 1 does not begin a log");
    }

    private static byte[] firstLine(FileChannel file) throws IOException {
        var line = new ByteArrayOutputStream();
        var piece = ByteBuffer.allocate(PIECE);
        while (line.size() <= LineFormat.MAX_LINE && file.read(piece.clear()) > 0) {
            for (int i = 0; i < piece.position(); i++) {
                if (piece.get(i) == '\n') {
                    line.write(piece.array(), 0, i);
                    return line.toByteArray();
                }
            }
            line.write(piece.array(), 0, piece.position());
        }
        return line.toByteArray();
    }
}
