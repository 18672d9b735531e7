package dev.cagewright.cli.summary;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/// Finds the files below a directory that are newer than a time, without following a link, the shallow ones first. It
/// looks for a bounded time and at a bounded number of names. What Git keeps for itself is left out.
final class TouchedFiles {
    private static final Duration PATIENCE = Duration.ofMillis(400);
    /// So many are looked at however long it takes.
    private static final int FIRST_ENTRIES = 2_000;

    private static final int MOST_ENTRIES = 200_000;
    private static final ByteString GIT = ByteString.of(".git");

    private final Instant since;
    private final long end = System.nanoTime() + PATIENCE.toNanos();
    private final Deque<ByteString> folders = new ArrayDeque<>();
    private final List<String> first = new ArrayList<>();
    private long count;
    private int looked;
    private boolean isComplete = true;

    private TouchedFiles(Instant since) {
        this.since = since;
    }

    /// @param directory its absolute path
    /// @throws IOException if it cannot be opened
    static FilesChanged below(ByteString directory, Instant since) throws IOException {
        var found = new TouchedFiles(since);
        try (var root = HostFolder.open(directory)) {
            found.folders.add(ByteString.of(""));
            while (!found.folders.isEmpty() && found.goesOn()) {
                found.look(root, found.folders.removeFirst());
            }
        }
        return new FilesChanged(
                FilesChanged.Where.WORKSPACE, found.count, found.first, found.isComplete && found.folders.isEmpty());
    }

    private boolean goesOn() {
        return looked < FIRST_ENTRIES || (looked < MOST_ENTRIES && System.nanoTime() < end);
    }

    /// One directory; one that cannot be read is passed over.
    private void look(HostFolder root, ByteString path) {
        try (var folder = root.folder(path).orElse(null)) {
            if (folder == null) {
                return;
            }
            var names = new ArrayList<>(folder.names(MOST_ENTRIES - looked));
            names.sort(Comparator.comparing(ByteString::printable));
            for (ByteString name : names) {
                if (!goesOn()) {
                    isComplete = false;
                    return;
                }
                looked++;
                folder.look(name).ifPresent(entry -> take(path, name, entry));
            }
        } catch (IOException _) {
            isComplete = false;
        }
    }

    private void take(ByteString folder, ByteString name, HostEntry entry) {
        var path = joined(folder, name);
        if (entry.isFolder()) {
            if (!name.equals(GIT)) {
                folders.add(path);
            }
        } else if (!entry.changed().isBefore(since)) {
            count++;
            if (first.size() < FilesChanged.SHOWN) {
                first.add(path.printable());
            }
        }
    }

    private static ByteString joined(ByteString folder, ByteString name) {
        if (folder.size() == 0) {
            return name;
        }
        var bytes = new ByteArrayOutputStream(folder.size() + 1 + name.size());
        bytes.writeBytes(folder.toByteArray());
        bytes.write('/');
        bytes.writeBytes(name.toByteArray());
        return ByteString.copyOf(bytes.toByteArray());
    }
}
