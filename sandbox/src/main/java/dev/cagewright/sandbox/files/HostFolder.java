package dev.cagewright.sandbox.files;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.kernel.DirectoryCalls;
import dev.cagewright.sandbox.kernel.DirectoryCalls.Want;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// An open directory. What happens to its own name meanwhile does not matter: everything is looked up from the
/// descriptor. Names are single unless a parameter says path. The caller closes it; for one thread.
public final class HostFolder implements AutoCloseable {
    private static final ByteString SELF = ByteString.of("");
    private static final ByteString DOT = ByteString.of(".");
    private static final int NO_REPLACE = 1;
    private static final int EXCHANGE = 2;
    private static final int OWNER_ALL = 0700;

    private final int descriptor;

    private HostFolder(int descriptor) {
        this.descriptor = descriptor;
    }

    /// The directory at `path`, absolute, with its links followed: for paths that a person or the product named.
    public static HostFolder open(ByteString path) throws IOException {
        return new HostFolder(DirectoryCalls.open(path));
    }

    /// The directory at `path` below this one, this one itself for the empty path. Empty if nothing stands there, or
    /// something that is no directory.
    ///
    /// @throws LinkInPathException if a link stands on the way or at the end
    public Optional<HostFolder> folder(ByteString path) throws IOException {
        return opened(path.size() == 0 ? DOT : path, Want.DIRECTORY).map(HostFolder::new);
    }

    /// Does `path`, with its links followed, lead out of this directory? What does not exist does not.
    public boolean leadsOut(ByteString path) throws IOException {
        try {
            FileControl.close(DirectoryCalls.open(descriptor, path.size() == 0 ? DOT : path, Want.WITHIN));
            return false;
        } catch (KernelException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.EACCES -> false;
                case Errno.ELOOP, Errno.EXDEV -> true;
                default -> throw e;
            };
        }
    }

    /// Like [#folder(ByteString)] for trees that belong to the caller: a directory that its owner cannot read is made
    /// readable for as long as it takes to open it.
    public Optional<HostFolder> ownFolder(ByteString path) throws IOException {
        try {
            return folder(path);
        } catch (KernelException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            return madeReadable(path);
        }
    }

    private Optional<HostFolder> madeReadable(ByteString path) throws IOException {
        int object = DirectoryCalls.open(descriptor, path, Want.OBJECT);
        try {
            int permissions = new HostFolder(object).self().permissions();
            DirectoryCalls.permit(object, permissions | OWNER_ALL);
            try {
                return folder(path);
            } finally {
                DirectoryCalls.permit(object, permissions);
            }
        } finally {
            FileControl.close(object);
        }
    }

    private Optional<Integer> opened(ByteString path, Want want) throws IOException {
        try {
            return Optional.of(DirectoryCalls.open(descriptor, path, want));
        } catch (KernelException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR -> Optional.empty();
                case Errno.ELOOP, Errno.EXDEV -> throw new LinkInPathException(path, e);
                default -> throw e;
            };
        }
    }

    /// What stands at `name`; empty if nothing does.
    public Optional<HostEntry> look(ByteString name) throws IOException {
        return DirectoryCalls.facts(descriptor, name).map(HostEntry::of);
    }

    /// This directory itself.
    public HostEntry self() throws IOException {
        return look(SELF).orElseThrow(() -> new IOException("statx: an open directory is not there"));
    }

    /// Its first `most` names, in no order. Starts anew with each call.
    public List<ByteString> names(int most) throws IOException {
        return DirectoryCalls.names(descriptor, most);
    }

    /// An extended attribute of `name` itself.
    public Optional<ByteString> attribute(ByteString name, String attribute) throws IOException {
        return DirectoryCalls.attribute(descriptor, name, attribute);
    }

    /// An extended attribute of this directory.
    public Optional<ByteString> attribute(String attribute) throws IOException {
        return DirectoryCalls.attribute(descriptor, DOT, attribute);
    }

    /// The text of the link `name`.
    public ByteString linkText(ByteString name) throws IOException {
        return DirectoryCalls.linkText(descriptor, name);
    }

    /// The regular file `name`, to read.
    ///
    /// @throws IOException also if it is no regular file
    public HostFile read(ByteString name) throws IOException {
        requireFile(name);
        return HostFile.opened(DirectoryCalls.open(descriptor, name, Want.CONTENT), name);
    }

    /// Like [#read] for trees that belong to the caller: a file without permission to read is given it for as long as
    /// it takes to open it.
    public HostFile readOwn(ByteString name) throws IOException {
        try {
            return read(name);
        } catch (KernelException e) {
            var entry = look(name);
            if (e.errno() != Errno.EACCES || entry.isEmpty()) {
                throw e;
            }
            permit(name, entry.get().permissions() | 0400);
            try {
                return read(name);
            } finally {
                permit(name, entry.get().permissions());
            }
        }
    }

    private void requireFile(ByteString name) throws IOException {
        var entry = look(name);
        if (entry.isEmpty() || !entry.get().isFile()) {
            throw new IOException(
                    name + ": " + entry.map(e -> e.kind().name()).orElse("nothing") + " (expected: a regular file)");
        }
    }

    /// The new file `name`, mode 0600, to write.
    ///
    /// @throws IOException also if the name stands for anything
    public HostFile create(ByteString name) throws IOException {
        return HostFile.opened(DirectoryCalls.open(descriptor, name, Want.NEW_FILE), name);
    }

    /// Like [#create]; empty if the name stands for anything.
    public Optional<HostFile> createWhereNothingIs(ByteString name) throws IOException {
        try {
            return Optional.of(create(name));
        } catch (KernelException e) {
            if (e.errno() == Errno.EEXIST) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// A new directory, mode 0700.
    public void makeFolder(ByteString name) throws IOException {
        DirectoryCalls.makeDirectory(descriptor, name);
    }

    public void makeLink(ByteString name, ByteString text) throws IOException {
        DirectoryCalls.makeLink(descriptor, name, text);
    }

    /// Removes `name`, which is no directory.
    public void remove(ByteString name) throws IOException {
        DirectoryCalls.remove(descriptor, name);
    }

    /// Removes the directory `name`, if it is empty.
    public Removal removeFolder(ByteString name) throws IOException {
        try {
            DirectoryCalls.removeDirectory(descriptor, name);
            return Removal.REMOVED;
        } catch (KernelException e) {
            return switch (e.errno()) {
                case Errno.ENOTEMPTY, Errno.EEXIST -> Removal.NOT_EMPTY;
                case Errno.ENOENT -> Removal.ABSENT;
                default -> throw e;
            };
        }
    }

    /// How [#removeFolder] ended.
    public enum Removal {
        REMOVED,
        NOT_EMPTY,
        ABSENT
    }

    /// How [#moveTo] and [#exchange] ended.
    public enum Move {
        DONE,
        /// Something stands at the new name; nothing was moved.
        TARGET_EXISTS,
        /// One of the names stands for nothing; nothing was moved.
        ABSENT,
        /// The file system cannot; nothing was moved.
        UNSUPPORTED
    }

    /// Renames `name` to `newName` in `to`, where nothing may stand.
    public Move moveTo(ByteString name, HostFolder to, ByteString newName) throws IOException {
        return rename(name, to, newName, NO_REPLACE);
    }

    /// Swaps what two names of this directory stand for, in one step.
    public Move exchange(ByteString name, ByteString other) throws IOException {
        return rename(name, this, other, EXCHANGE);
    }

    /// Renames `name` to `newName` in this directory, and replaces what stands there.
    public Move replace(ByteString name, ByteString newName) throws IOException {
        return rename(name, this, newName, 0);
    }

    /// Renames `name` to `newName` in `to`, and replaces what stands there; UNSUPPORTED too where `to` is of another
    /// file system.
    public Move replaceIn(ByteString name, HostFolder to, ByteString newName) throws IOException {
        try {
            return rename(name, to, newName, 0);
        } catch (KernelException e) {
            if (e.errno() == Errno.EXDEV) {
                return Move.UNSUPPORTED;
            }
            throw e;
        }
    }

    private Move rename(ByteString name, HostFolder to, ByteString newName, int flags) throws IOException {
        try {
            DirectoryCalls.rename(
                    new DirectoryCalls.Name(descriptor, name), new DirectoryCalls.Name(to.descriptor, newName), flags);
            return Move.DONE;
        } catch (KernelException e) {
            return switch (e.errno()) {
                case Errno.EEXIST -> Move.TARGET_EXISTS;
                case Errno.ENOENT -> Move.ABSENT;
                case Errno.EINVAL, Errno.ENOSYS, Errno.EOPNOTSUPP -> Move.UNSUPPORTED;
                default -> throw e;
            };
        }
    }

    /// Sets the permissions of `name`, which is no link.
    public void permit(ByteString name, int permissions) throws IOException {
        int object = DirectoryCalls.open(descriptor, name, Want.OBJECT);
        try {
            DirectoryCalls.permit(object, permissions);
        } finally {
            FileControl.close(object);
        }
    }

    /// Gives `name`, a link itself, to another owner; needs privileges.
    public void give(ByteString name, HostEntry.Identity owner) throws IOException {
        DirectoryCalls.give(descriptor, name, owner.owner(), owner.group());
    }

    /// Waits until what was done to its names is on the disk.
    public void flush() throws IOException {
        DirectoryCalls.flush(descriptor);
    }

    @Override
    public void close() {
        FileControl.close(descriptor);
    }
}
