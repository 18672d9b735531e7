package dev.cagewright.sandbox.files;

import dev.cagewright.sandbox.kernel.FileFacts;
import java.time.Instant;

/// What stands at a name, the link itself where it is one.
///
/// @param permissions the twelve lower bits of the mode
/// @param size bytes; of a link, of its text
/// @param names how many names the file has; of a directory, whatever the file system says
/// @param modified when its bytes changed last; anybody who may write it can set this
/// @param changed when anything about it changed last, by the file system's clock; nobody can set this
public record HostEntry(
        Kind kind, int permissions, long size, int names, Identity identity, Instant modified, Instant changed) {
    private static final int TYPE = 0170000;
    private static final int PERMISSIONS = 07777;

    /// What kind of object it is, stat(2).
    public enum Kind {
        FILE,
        FOLDER,
        LINK,
        /// The character device 0/0, by which overlayfs says that a name is gone.
        WHITEOUT,
        FIFO,
        SOCKET,
        DEVICE;

        private static Kind of(int mode, long device) {
            return switch (mode & TYPE) {
                case 0100000 -> FILE;
                case 0040000 -> FOLDER;
                case 0120000 -> LINK;
                case 0010000 -> FIFO;
                case 0140000 -> SOCKET;
                case 0020000 -> device == 0 ? WHITEOUT : DEVICE;
                default -> DEVICE;
            };
        }
    }

    /// Which object it is.
    public record Identity(long device, long inode, int owner, int group) {}

    static HostEntry of(FileFacts facts) {
        var status = facts.status();
        return new HostEntry(
                Kind.of(status.mode(), facts.deviceHere()),
                status.mode() & PERMISSIONS,
                facts.size(),
                facts.links(),
                new Identity(status.device(), status.inode(), status.owner(), status.group()),
                facts.modified(),
                facts.changed());
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isFolder() {
        return kind == Kind.FOLDER;
    }

    /// Is `other` the same object with the same bytes, as far as its size and times tell? A rename may lie between.
    public boolean isStill(HostEntry other) {
        return kind == other.kind
                && size == other.size
                && identity.equals(other.identity)
                && permissions == other.permissions
                && modified.equals(other.modified);
    }
}
