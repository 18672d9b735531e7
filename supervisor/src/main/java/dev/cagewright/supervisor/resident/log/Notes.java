package dev.cagewright.supervisor.resident.log;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What the supervisor says of itself, a line each, in a file of its folder. A full disk costs these lines and nothing
/// else.
public final class Notes implements AutoCloseable {
    private final RollingLog log;

    /// Goes on with `file`.
    public Notes(Path file) throws IOException {
        this.log = RollingLog.open(file);
    }

    /// One line more, with the time before it.
    public void say(String sentence) {
        var line = Instant.now().truncatedTo(ChronoUnit.SECONDS) + " "
                + ByteString.of(sentence).printable() + "\n";
        try {
            log.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }
}
