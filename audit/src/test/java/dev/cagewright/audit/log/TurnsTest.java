package dev.cagewright.audit.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processes that want the same log.
class TurnsTest {
    @TempDir
    Path folder;

    @Test
    void a_writer_that_comes_back_again_and_again_lets_another_process_in() throws IOException, InterruptedException {
        var path = folder.resolve("log.lock");
        try (var lock = LogLock.open(path)) {
            try (var child = Child.start("hold", path.toString())) {
                takeUntilAwaited(lock);
                assertThat(child.next()).isEqualTo("holding Held");
            }
        }
    }

    private static void takeUntilAwaited(LogLock lock) throws IOException {
        for (var held = lock.acquireOrNull(); held != null; held = lock.acquireOrNull()) {
            held.close();
        }
    }
}
