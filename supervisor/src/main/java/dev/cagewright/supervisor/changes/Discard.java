package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.files.TreeRemoval;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Throws changes away. Whoever calls it holds the session's lock. Interrupted, it is taken up by the next one: what
/// is to go loses its record first, and has no use without.
public final class Discard {
    private static final ByteString TRASH = ByteString.of("trash");
    private static final ByteString RECORD = ByteString.of("copy.json");

    private Discard() {}

    /// Removes the copies of the session whose folder is `session`, the last one first, and what an interrupted
    /// discard left.
    ///
    /// @throws IOException if something of them cannot be removed
    public static void all(Path session) throws IOException {
        try (var folder = HostFolder.open(ByteString.of(session.toString()))) {
            var names = folder.names(Integer.MAX_VALUE).stream()
                    .filter(Discard::isCopy)
                    .sorted()
                    .toList();
            for (ByteString name : names.reversed()) {
                var copy = folder.folder(name);
                if (copy.isPresent()) {
                    try (var open = copy.get()) {
                        clear(open);
                    }
                    folder.removeFolder(name);
                }
            }
        }
    }

    private static boolean isCopy(ByteString name) {
        return name.latin1().equals("copy")
                || name.latin1().startsWith("copy-")
                || name.latin1().startsWith("base-copy");
    }

    private static void clear(HostFolder copy) throws IOException {
        if (copy.look(RECORD).isPresent()) {
            copy.remove(RECORD);
            copy.flush();
        }
        TreeRemoval.clear(copy);
    }

    /// Is there something left of a discard that was interrupted?
    public static boolean isHalfDone(Path session) {
        return Files.isDirectory(session.resolve("copy")) && !Files.exists(session.resolve("copy/copy.json"));
    }

    /// Makes `paths` what they are on the host.
    ///
    /// @return the paths at which there was nothing to throw away
    /// @throws IOException also if the copy is no overlay: then a part of it cannot go
    public static List<RelativePath> some(SessionCopy copy, List<RelativePath> paths) throws IOException {
        if (copy.mechanism() != Mechanism.OVERLAY) {
            throw new IOException("the copy is a whole one (" + copy.mechanism().word()
                    + "): a part of it cannot be discarded (expected: no PATH, or apply of what is wanted)");
        }
        try (var folder = HostFolder.open(ByteString.of(copy.folder().toString()));
                var upper = HostFolder.open(ByteString.of(copy.upper().toString()));
                var trash = trash(folder)) {
            var left = new ArrayList<RelativePath>();
            for (RelativePath path : paths) {
                if (path.isTop() || !discard(path, upper, trash)) {
                    left.add(path);
                }
            }
            TreeRemoval.clear(trash);
            return left;
        }
    }

    private static HostFolder trash(HostFolder folder) throws IOException {
        if (folder.look(TRASH).isEmpty()) {
            folder.makeFolder(TRASH);
        }
        return folder.folder(TRASH).orElseThrow(() -> new IOException("trash: not a directory"));
    }

    private static boolean discard(RelativePath path, HostFolder upper, HostFolder trash) throws IOException {
        Optional<HostFolder> parent = upper.folder(path.parent().bytes());
        if (parent.isEmpty()) {
            return false;
        }
        try (var open = parent.get()) {
            var entry = open.look(path.name());
            if (entry.isEmpty()) {
                return false;
            }
            if (entry.get().isFolder()) {
                open.permit(path.name(), 0700);
                TreeRemoval.clear(trash);
                return open.moveTo(path.name(), trash, TRASH) == HostFolder.Move.DONE;
            }
            open.remove(path.name());
            return true;
        }
    }
}
