package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// How much the layers of a session hold at one moment. What lies deeper than [#DEPTH] directories cannot be counted,
/// so it counts as too much.
///
/// @param bytes the sizes of all files, holes included; several names of one file count once
/// @param entries files, directories, links and marks of removed ones
record CopySize(long bytes, long entries) {
    /// As many directories are open at once.
    static final int DEPTH = 256;

    /// Looks below every one of `tops`, which themselves are not counted, until all is counted or `quota` is passed.
    /// A program may change everything meanwhile; no link is followed.
    static CopySize of(List<Path> tops, CopyQuota quota) throws IOException {
        var walk = new Walk(quota);
        for (Path top : tops) {
            try (var folder = HostFolder.open(ByteString.of(top.toString()))) {
                walk.below(folder, 1);
            }
        }
        return walk.sum();
    }

    boolean isOver(CopyQuota quota) {
        return isOverBytes(quota) || entries > quota.entries();
    }

    boolean isOverBytes(CopyQuota quota) {
        return bytes > quota.bytes();
    }

    private static final class Walk {
        private final CopyQuota quota;
        private final Set<HostEntry.Identity> linked = new HashSet<>();
        private long bytes;
        private long entries;

        Walk(CopyQuota quota) {
            this.quota = quota;
        }

        CopySize sum() {
            return new CopySize(bytes, entries);
        }

        void below(HostFolder folder, int depth) throws IOException {
            long room = Math.max(0, quota.entries() - entries);
            for (ByteString name : folder.names((int) Math.min(room + 1, Integer.MAX_VALUE))) {
                if (sum().isOver(quota)) {
                    return;
                }
                count(folder, name, depth);
            }
        }

        private void count(HostFolder folder, ByteString name, int depth) throws IOException {
            var entry = folder.look(name);
            if (entry.isEmpty()) {
                return;
            }
            entries++;
            if (entry.get().isFolder()) {
                enter(folder, name, depth);
            } else if (entry.get().isFile()
                    && (entry.get().names() < 2 || linked.add(entry.get().identity()))) {
                bytes += entry.get().size();
            }
        }

        private void enter(HostFolder folder, ByteString name, int depth) throws IOException {
            if (depth == DEPTH) {
                entries = quota.entries() + 1;
                return;
            }
            try (var inner = folder.folder(name).orElse(null)) {
                if (inner != null) {
                    below(inner, depth + 1);
                }
            } catch (IOException _) {
                return; // it cannot be looked into, or is something else by now
            }
        }
    }
}
