package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One host directory that a session worked on by copy, and where that copy is. Immutable; what is on disk belongs
/// to the session's folder.
///
/// @param folder `copy` in the session's folder, `copy-2` and so on for further mounts; 0700
/// @param lower the host directory, absolute and canonical, bytes as the kernel has them
/// @param at where the workload saw it
/// @param root which directory `lower` was: another one under the same name is no base for the changes
/// @param made taken from the file system's own clock: what the host changed afterwards has a status change time
///     (ctime) of at least this
/// @param held paths below the copy, relative, that are no changes of the workload: what the product itself made there
///     to hold a protected name free, until the run has been cleared up, and what a whole copy left out
public record SessionCopy(
        Path folder,
        ByteString lower,
        GuestPath at,
        Mechanism mechanism,
        Root root,
        Instant made,
        List<ByteString> held) {
    private static final String NAME = "copy";
    private static final int LIMIT = 64;

    public SessionCopy {
        held = List.copyOf(held);
        if (lower.size() == 0 || lower.at(0) != '/') {
            throw new IllegalArgumentException("lower: " + lower + " (expected: absolute)");
        }
    }

    /// Which directory something is, stat(2).
    public record Root(long device, long inode) {}

    /// Where the differences are, or the whole tree; see [Mechanism].
    public Path upper() {
        return folder.resolve("upper");
    }

    /// What overlayfs needs beside the upper layer; of no use to anybody else.
    public Path work() {
        return folder.resolve("work");
    }

    SessionCopy by(Mechanism changed) {
        return new SessionCopy(folder, lower, at, changed, root, made, held);
    }

    public SessionCopy withHeld(List<ByteString> paths) {
        return new SessionCopy(folder, lower, at, mechanism, root, made, paths);
    }

    /// The folder of the copy number `number`, from 0, of the session whose folder is `session`.
    static Path folderOf(Path session, int number) {
        if (number < 0 || number >= LIMIT) {
            throw new IllegalArgumentException("copy: " + number + " (expected: 0 to " + (LIMIT - 1) + ")");
        }
        return session.resolve(number == 0 ? NAME : NAME + "-" + (number + 1));
    }

    /// All copies of the session whose folder is `session`, the workspace's first if it has one; empty when
    /// there are none.
    ///
    /// @throws IOException if one of them cannot be read whole
    public static List<SessionCopy> all(Path session) throws IOException {
        var found = new ArrayList<SessionCopy>();
        for (int number = 0; number < LIMIT; number++) {
            var copy = load(folderOf(session, number));
            if (copy.isEmpty()) {
                break;
            }
            found.add(copy.get());
        }
        return found;
    }

    /// The copy in `folder`; empty when there is none or it was discarded.
    ///
    /// @throws IOException if there is one and its `copy.json` cannot be read whole
    public static Optional<SessionCopy> load(Path folder) throws IOException {
        var file = folder.resolve(CopyFile.NAME);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(CopyFile.read(file));
    }

    /// Writes `copy.json`, whole or not at all; durable when it returns.
    public void store() throws IOException {
        CopyFile.write(this);
    }
}
