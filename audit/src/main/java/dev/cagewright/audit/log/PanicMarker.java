package dev.cagewright.audit.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// `<log>.tainted`: tells at a glance that a log is frozen. The chain says so too, so deleting it thaws nothing.
final class PanicMarker {
    private PanicMarker() {}

    static Path of(Path log) {
        return log.resolveSibling(log.getFileName() + ".tainted");
    }

    static void write(Path log, Appended last) throws IOException {
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (var marker = FileChannel.open(of(log), options, LogFile.PRIVATE_FILE)) {
            var text = "frozen at " + last.seq() + " " + last.hash() + "\n";
            marker.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            marker.force(true);
        } catch (FileAlreadyExistsException _) {
            // an operator's marker serves as well
        }
        LogFile.forceFolder(log);
    }
}
