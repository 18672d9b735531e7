package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// The descriptors of this process at one moment, by number, with what each leads to. The one that lists them is not
/// among them.
record Descriptors(Map<Integer, String> open) {
    private static final Path FOLDER = Path.of("/proc/self/fd");
    private static final Duration PAUSE = Duration.ofMillis(5);

    static Descriptors now() throws IOException {
        var open = new TreeMap<Integer, String>();
        try (var entries = Files.newDirectoryStream(FOLDER)) {
            for (var entry : entries) {
                var target = targetOf(entry);
                if (!target.isEmpty() && !target.matches("/proc/[0-9]+/fd")) {
                    open.put(Integer.parseInt(String.valueOf(entry.getFileName())), target);
                }
            }
        }
        return new Descriptors(open);
    }

    /// Empty for one that was closed meanwhile.
    private static String targetOf(Path entry) throws IOException {
        try {
            return Files.readSymbolicLink(entry).toString();
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    int count() {
        return open.size();
    }

    /// Those that were not there before, or led elsewhere.
    Descriptors newSince(Descriptors before) {
        var fresh = new TreeMap<>(open);
        fresh.entrySet().removeAll(before.open().entrySet());
        return new Descriptors(fresh);
    }

    /// Waits until there are no more than before: what a closed cage had is closed by the thread that watched it, a
    /// moment later.
    ///
    /// @throws IOException if there still are after `patience`; it names those that are new
    static void awaitNoMoreThan(Descriptors before, Duration patience) throws IOException {
        long end = System.nanoTime() + patience.toNanos();
        var now = now();
        while (now.count() > before.count()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("descriptors: " + now.count() + " (expected: at most " + before.count()
                        + "); new: " + now.newSince(before).open());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            now = now();
        }
    }
}
