package dev.cagewright.sandbox.kernel;

import dev.cagewright.policy.action.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Calls that look a name up from an open directory, openat2(2) and its kin. Links are never followed, and no
/// path leads above the directory. Descriptors that are returned are the caller's.
public final class DirectoryCalls {
    private static final boolean IS_ARM = System.getProperty("os.arch", "").equals("aarch64");

    /// asm-generic/fcntl.h, and asm/fcntl.h where AArch64 differs.
    private static final int O_DIRECTORY = IS_ARM ? 040000 : 0200000;

    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int O_WRONLY = 1;
    private static final int O_NONBLOCK = 04000;
    private static final int O_PATH = 010000000;

    /// The same on every architecture, asm-generic/unistd.h.
    private static final int NR_OPENAT2 = 437;

    private static final int RESOLVE_NO_MAGICLINKS = 0x02;
    private static final int RESOLVE_NO_SYMLINKS = 0x04;
    private static final int RESOLVE_BENEATH = 0x08;
    private static final long OPEN_HOW_SIZE = 24;

    private static final int AT_REMOVEDIR = 0x200;
    private static final int PATH_MAX = 4096;
    private static final int LIST_BUFFER = 32 << 10;
    private static final int NAME_OFFSET = 19;
    private static final int LENGTH_OFFSET = 16;
    private static final int ATTRIBUTE_MAX = 256;

    private static final CFunction SYSCALL = CFunction.ofInt("syscall");
    private static final CFunction GETDENTS = CFunction.ofLong("getdents64");
    private static final CFunction LSEEK = CFunction.ofLong("lseek");
    private static final CFunction UNLINKAT = CFunction.ofInt("unlinkat");
    private static final CFunction MKDIRAT = CFunction.ofInt("mkdirat");
    private static final CFunction SYMLINKAT = CFunction.ofInt("symlinkat");
    private static final CFunction READLINKAT = CFunction.ofLong("readlinkat");
    private static final CFunction RENAMEAT2 = CFunction.ofInt("renameat2");
    private static final CFunction FSYNC = CFunction.ofInt("fsync");
    private static final CFunction LGETXATTR = CFunction.ofLong("lgetxattr");
    private static final CFunction FCHOWNAT = CFunction.ofInt("fchownat");
    private static final CFunction CHMOD = CFunction.ofInt("chmod");

    private DirectoryCalls() {}

    /// What an opened name is wanted for.
    public enum Want {
        /// A directory, to list and to look up from.
        DIRECTORY(O_DIRECTORY),
        /// A file, to read; a fifo does not block.
        CONTENT(O_NONBLOCK),
        /// The object itself, whatever its permissions.
        OBJECT(O_PATH),
        /// The same, with links followed as long as they stay below the directory.
        WITHIN(O_PATH),
        /// A new file of mode 0600, to write; refused if the name stands for anything.
        NEW_FILE(O_WRONLY | O_CREAT | O_EXCL);

        private final int flags;

        Want(int flags) {
            this.flags = flags;
        }
    }

    /// Opens the directory at `path` by all its links, for paths that a person named.
    public static int open(ByteString path) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var how = how(arena, Want.DIRECTORY, 0);
            return openat2(new Place(HostFiles.AT_FDCWD, path), how, arena);
        }
    }

    /// Opens what stands at `path` below `directory`, without links on the way or at its end.
    ///
    /// @param path relative, of one name or several
    public static int open(int directory, ByteString path, Want want) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            int links = want == Want.WITHIN ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
            var how = how(arena, want, RESOLVE_BENEATH | links);
            return openat2(new Place(directory, path), how, arena);
        }
    }

    private record Place(int directory, ByteString path) {}

    private static MemorySegment how(Arena arena, Want want, long resolve) {
        var how = arena.allocate(OPEN_HOW_SIZE, 8);
        how.set(ValueLayout.JAVA_LONG, 0, want.flags | FileControl.O_CLOEXEC);
        how.set(ValueLayout.JAVA_LONG, 8, want == Want.NEW_FILE ? 0600 : 0);
        how.set(ValueLayout.JAVA_LONG, 16, resolve);
        return how;
    }

    private static int openat2(Place place, MemorySegment how, Arena arena) throws KernelException {
        var text = HostFiles.text(arena, place.path);
        while (true) {
            long opened = SYSCALL.call(NR_OPENAT2, place.directory, text.address(), how.address(), OPEN_HOW_SIZE);
            if (opened != -Errno.EINTR && opened != -Errno.EAGAIN) {
                return (int) KernelException.check(opened, "openat2(" + place.path + ")");
            }
        }
    }

    /// What stands at `name`; a link is not followed. Empty if nothing does.
    public static Optional<FileFacts> facts(int directory, ByteString name) throws KernelException {
        return FileFacts.of(directory, name);
    }

    /// The first `most` names in `directory`, without `.` and `..`, in the order of the file system.
    public static List<ByteString> names(int directory, int most) throws KernelException {
        var names = new ArrayList<ByteString>();
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(LIST_BUFFER, 8);
            KernelException.check(LSEEK.call(directory, 0, 0), "lseek");
            while (names.size() < most) {
                long size =
                        KernelException.check(GETDENTS.call(directory, buffer.address(), LIST_BUFFER), "getdents64");
                if (size == 0) {
                    break;
                }
                addNames(names, buffer.asSlice(0, size));
            }
        }
        return names.size() > most ? List.copyOf(names.subList(0, most)) : names;
    }

    private static void addNames(List<ByteString> names, MemorySegment entries) {
        for (long at = 0; at < entries.byteSize(); ) {
            int length = Short.toUnsignedInt(entries.get(ValueLayout.JAVA_SHORT, at + LENGTH_OFFSET));
            long end = at + NAME_OFFSET;
            while (entries.get(ValueLayout.JAVA_BYTE, end) != 0) {
                end++;
            }
            var name = ByteString.copyOf(
                    entries.asSlice(at + NAME_OFFSET, end - at - NAME_OFFSET).toArray(ValueLayout.JAVA_BYTE));
            if (!name.latin1().equals(".") && !name.latin1().equals("..")) {
                names.add(name);
            }
            at += length;
        }
    }

    /// unlinkat(2): removes `name`, which is no directory.
    public static void remove(int directory, ByteString name) throws KernelException {
        unlink(directory, name, 0);
    }

    /// unlinkat(2) with `AT_REMOVEDIR`: removes the empty directory `name`.
    public static void removeDirectory(int directory, ByteString name) throws KernelException {
        unlink(directory, name, AT_REMOVEDIR);
    }

    private static void unlink(int directory, ByteString name, int flags) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result = UNLINKAT.call(directory, HostFiles.text(arena, name).address(), flags);
            KernelException.check(result, "unlinkat(" + name + ")");
        }
    }

    public static void makeDirectory(int directory, ByteString name) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result = MKDIRAT.call(directory, HostFiles.text(arena, name).address(), 0700);
            KernelException.check(result, "mkdirat(" + name + ")");
        }
    }

    /// A new link `name` with `text`.
    public static void makeLink(int directory, ByteString name, ByteString text) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result = SYMLINKAT.call(
                    HostFiles.text(arena, text).address(),
                    directory,
                    HostFiles.text(arena, name).address());
            KernelException.check(result, "symlinkat(" + name + ")");
        }
    }

    /// The text of the link `name`.
    public static ByteString linkText(int directory, ByteString name) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var target = arena.allocate(PATH_MAX);
            long size = READLINKAT.call(directory, HostFiles.text(arena, name).address(), target.address(), PATH_MAX);
            KernelException.check(size, "readlinkat(" + name + ")");
            return ByteString.copyOf(target.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /// A name in an open directory.
    public record Name(int directory, ByteString name) {}

    /// renameat2(2).
    ///
    /// @param flags `RENAME_NOREPLACE` (1), `RENAME_EXCHANGE` (2), or 0
    public static void rename(Name from, Name to, int flags) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result = RENAMEAT2.call(
                    from.directory,
                    HostFiles.text(arena, from.name).address(),
                    to.directory,
                    HostFiles.text(arena, to.name).address(),
                    flags);
            KernelException.check(result, "renameat2(" + from.name + ", " + to.name + ")");
        }
    }

    /// fsync(2) of a file or a directory.
    public static void flush(int descriptor) throws KernelException {
        KernelException.check(FSYNC.call(descriptor), "fsync");
    }

    /// The extended attribute `attribute` of `name` itself, `.` for the directory; empty if it has none or the file
    /// system knows none.
    public static Optional<ByteString> attribute(int directory, ByteString name, String attribute)
            throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(ATTRIBUTE_MAX);
            long size = LGETXATTR.call(
                    HostFiles.text(arena, below(directory, name)).address(),
                    arena.allocateFrom(attribute).address(),
                    value.address(),
                    ATTRIBUTE_MAX);
            if (size == -Errno.ENODATA || size == -Errno.EOPNOTSUPP) {
                return Optional.empty();
            }
            if (size == -Errno.ERANGE) {
                return Optional.of(ByteString.of(""));
            }
            KernelException.check(size, "lgetxattr(" + name + ", " + attribute + ")");
            return Optional.of(ByteString.copyOf(value.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    private static ByteString below(int directory, ByteString name) {
        var prefix = ByteString.of("/proc/self/fd/" + directory + "/").toByteArray();
        var whole = new byte[prefix.length + name.size()];
        System.arraycopy(prefix, 0, whole, 0, prefix.length);
        System.arraycopy(name.toByteArray(), 0, whole, prefix.length, name.size());
        return ByteString.copyOf(whole);
    }

    /// fchownat(2) of `name`, a link itself.
    public static void give(int directory, ByteString name, int owner, int group) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result = FCHOWNAT.call(
                    directory, HostFiles.text(arena, name).address(), owner, group, HostFiles.AT_SYMLINK_NOFOLLOW);
            KernelException.check(result, "fchownat(" + name + ")");
        }
    }

    /// chmod(2) of the object behind `descriptor`, which may be one of [Want#OBJECT].
    public static void permit(int descriptor, int mode) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long result =
                    CHMOD.call(arena.allocateFrom("/proc/self/fd/" + descriptor).address(), mode);
            KernelException.check(result, "fchmod(" + Integer.toOctalString(mode) + ")");
        }
    }
}
