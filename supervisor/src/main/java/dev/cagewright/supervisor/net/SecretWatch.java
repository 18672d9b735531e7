package dev.cagewright.supervisor.net;

import dev.cagewright.supervisor.credentials.RunSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Looks at the stores of a run's secrets while it lives: a value that was rotated is used, and one that was removed is
/// not, a fifth of a second later at most. Whoever begins it closes it.
final class SecretWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    /// Values expire without a change of the file.
    private static final int LOOKS_WITHOUT_CHANGE = 10;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final RunSecrets secrets;
    private final Consumer<Map<String, String>> changed;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private SecretWatch(RunSecrets secrets, Consumer<Map<String, String>> changed) {
        this.secrets = secrets;
        this.changed = changed;
        this.thread = Thread.ofPlatform().daemon().name("secret-watch").unstarted(this::watch);
    }

    /// @param changed hears what has changed, by name, on the watch's thread
    static SecretWatch begin(RunSecrets secrets, Consumer<Map<String, String>> changed) {
        var watch = new SecretWatch(secrets, changed);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            var seen = List.<String>of();
            int waited = 0;
            while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                var now = secrets.stores().stream()
                        .map(SecretWatch::mark)
                        .sorted()
                        .toList();
                waited++;
                if (!now.equals(seen) || waited == LOOKS_WITHOUT_CHANGE) {
                    seen = now;
                    waited = 0;
                    tell(secrets.look());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(Map<String, String> changes) {
        if (!changes.isEmpty()) {
            changed.accept(changes);
        }
    }

    /// What differs when the file does; it is replaced whole.
    private static String mark(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return file + " " + attributes.fileKey() + " " + attributes.size() + " " + attributes.lastModifiedTime();
        } catch (IOException e) {
            return file + " " + e.getClass().getName();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
