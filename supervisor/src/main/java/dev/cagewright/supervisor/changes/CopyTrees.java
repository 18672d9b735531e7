package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFile;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.LinkInPathException;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.util.Optional;

/// The two trees of a session's copy, held open: what the host has, and what the copy has. For one thread.
public final class CopyTrees implements AutoCloseable {
    private final HostFolder host;
    private final HostFolder upper;

    private CopyTrees(HostFolder host, HostFolder upper) {
        this.host = host;
        this.upper = upper;
    }

    /// Opens both.
    ///
    /// @throws IOException also if another directory stands where the copied one was
    public static CopyTrees open(SessionCopy copy) throws IOException {
        var host = HostFolder.open(copy.lower());
        try {
            var identity = host.self().identity();
            if (identity.device() != copy.root().device()
                    || identity.inode() != copy.root().inode()) {
                throw new IOException(copy.lower() + ": another directory stands there than the one that was copied"
                        + " (expected: the directory of the run; move it back)");
            }
            return new CopyTrees(
                    host, HostFolder.open(ByteString.of(copy.upper().toString())));
        } catch (IOException e) {
            host.close();
            throw e;
        }
    }

    public HostFolder host() {
        return host;
    }

    public HostFolder upper() {
        return upper;
    }

    /// The host's directory at `path`; empty also if a link or something else is in the way.
    public Optional<HostFolder> hostFolder(RelativePath path) throws IOException {
        try {
            return host.folder(path.bytes());
        } catch (LinkInPathException _) {
            return Optional.empty();
        }
    }

    /// The first `most` bytes of the host's file at `path`; empty if there is no file.
    public Optional<byte[]> hostBytes(RelativePath path, int most) throws IOException {
        var folder = hostFolder(path.parent());
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        try (var open = folder.get()) {
            return isFile(open, path.name()) ? Optional.of(head(open.read(path.name()), most)) : Optional.empty();
        }
    }

    /// The first `most` bytes of the copy's file at `path`; empty if there is no file.
    public Optional<byte[]> upperBytes(RelativePath path, int most) throws IOException {
        var folder = upper.ownFolder(path.parent().bytes());
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        try (var open = folder.get()) {
            return isFile(open, path.name()) ? Optional.of(head(open.readOwn(path.name()), most)) : Optional.empty();
        }
    }

    private static boolean isFile(HostFolder folder, ByteString name) throws IOException {
        return folder.look(name).filter(entry -> entry.isFile()).isPresent();
    }

    private static byte[] head(HostFile file, int most) throws IOException {
        try (file) {
            return file.head(most);
        }
    }

    @Override
    public void close() {
        host.close();
        upper.close();
    }
}
