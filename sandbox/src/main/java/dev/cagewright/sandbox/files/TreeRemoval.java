package dev.cagewright.sandbox.files;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder.Move;
import java.io.IOException;
import java.util.List;

/// Removes trees that a workload made, however deep, wide or shut they are: directories are moved up one by one, so
/// that nothing is ever deeper than two levels, with a handful of descriptors and a thousand names in memory. What is
/// left after a crash is removed by the next run. For one thread.
public final class TreeRemoval {
    private static final int BATCH = 1_000;
    private static final int OWNER_ALL = 0700;

    private final HostFolder holding;
    private long moved;

    private TreeRemoval(HostFolder holding) {
        this.holding = holding;
    }

    /// Removes everything in `folder`, and not the folder. It belongs to the caller, and nobody else is in it.
    ///
    /// @throws IOException if something cannot be removed; the rest may be gone
    public static void clear(HostFolder folder) throws IOException {
        new TreeRemoval(folder).run();
    }

    private void run() throws IOException {
        for (var names = holding.names(BATCH); !names.isEmpty(); names = holding.names(BATCH)) {
            for (ByteString name : names) {
                remove(name);
            }
        }
    }

    private void remove(ByteString name) throws IOException {
        var entry = holding.look(name);
        if (entry.isEmpty()) {
            return;
        }
        if (!entry.get().isFolder()) {
            holding.remove(name);
        } else if (holding.removeFolder(name) == HostFolder.Removal.NOT_EMPTY) {
            holding.permit(name, OWNER_ALL);
            try (var inner =
                    holding.folder(name).orElseThrow(() -> new IOException(name + ": is in use by somebody else"))) {
                flatten(inner);
            }
            holding.removeFolder(name);
        }
    }

    private void flatten(HostFolder inner) throws IOException {
        for (List<ByteString> names = inner.names(BATCH); !names.isEmpty(); names = inner.names(BATCH)) {
            for (ByteString name : names) {
                var entry = inner.look(name);
                if (entry.isPresent() && entry.get().isFolder()) {
                    inner.permit(name, OWNER_ALL);
                    moveUp(inner, name);
                } else if (entry.isPresent()) {
                    inner.remove(name);
                }
            }
        }
    }

    private void moveUp(HostFolder inner, ByteString name) throws IOException {
        Move move;
        do {
            moved++;
            move = inner.moveTo(name, holding, ByteString.of(".removed-" + moved));
        } while (move == Move.TARGET_EXISTS);
        if (move != Move.DONE) {
            throw new IOException(name + ": cannot be moved (" + move + ")");
        }
    }
}
