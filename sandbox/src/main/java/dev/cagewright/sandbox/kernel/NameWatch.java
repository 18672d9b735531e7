package dev.cagewright.sandbox.kernel;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Descriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Hears which names come to be and go in directories of the host, inotify(7). One thread reads; others may add and
/// remove. To close it takes the kernel some milliseconds.
public final class NameWatch implements AutoCloseable {
    private static final int IN_CLOEXEC = FileControl.O_CLOEXEC;
    private static final int IN_NONBLOCK = 04000;

    /// sys/inotify.h: IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE, IN_DELETE; IN_ONLYDIR, IN_DONT_FOLLOW.
    private static final int NAMES = 0x40 | 0x80 | 0x100 | 0x200;

    private static final int DIRECTORY_ITSELF = 0x0100_0000 | 0x0200_0000;

    /// `struct inotify_event`: watch, mask, cookie, length of the name with its padding of NUL.
    private static final long LENGTH = 12;

    private static final long NAME = 16;
    private static final int BUFFER = 1 << 16;

    private static final CFunction INIT = CFunction.ofInt("inotify_init1");
    private static final CFunction ADD = CFunction.ofInt("inotify_add_watch");
    private static final CFunction REMOVE = CFunction.ofInt("inotify_rm_watch");

    private final Descriptor descriptor;

    private NameWatch(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// A name that came or went.
    ///
    /// @param directory its number, as [#add] gave it; -1 when the kernel has dropped what happened
    public record Change(int directory, ByteString name) {
        /// Has the kernel dropped what happened?
        public boolean isLoss() {
            return directory < 0;
        }
    }

    public static NameWatch open() throws KernelException {
        long made = INIT.call(IN_CLOEXEC | IN_NONBLOCK);
        return new NameWatch(new Descriptor((int) KernelException.check(made, "inotify_init1")));
    }

    /// What becomes ready when there is something to read; stays this object's.
    public Descriptor descriptor() {
        return descriptor;
    }

    /// Watches the directory at `path` too, if it is one; a link there is not followed.
    ///
    /// @return the directory's number, the same each time
    public int add(ByteString path) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            long added =
                    ADD.call(descriptor.number(), HostFiles.text(arena, path).address(), NAMES | DIRECTORY_ITSELF);
            return (int) KernelException.check(added, "inotify_add_watch", path);
        }
    }

    /// Forgets a directory, which may be gone.
    public void remove(int directory) {
        REMOVE.call(descriptor.number(), directory);
    }

    /// What has happened since the last time, some of it at least; empty when nothing has.
    public List<Change> read() throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(BUFFER, 8);
            return changes(buffer, FileControl.read(descriptor.number(), buffer));
        } catch (KernelException e) {
            if (e.errno() == Errno.EAGAIN) {
                return List.of();
            }
            throw e;
        }
    }

    private static List<Change> changes(MemorySegment buffer, long size) {
        var changes = new ArrayList<Change>();
        for (long at = 0; at < size; ) {
            int length = buffer.get(ValueLayout.JAVA_INT, at + LENGTH);
            var name = buffer.asSlice(at + NAME, length).toArray(ValueLayout.JAVA_BYTE);
            changes.add(new Change(buffer.get(ValueLayout.JAVA_INT, at), unpadded(name)));
            at += NAME + length;
        }
        return changes;
    }

    private static ByteString unpadded(byte[] name) {
        int size = 0;
        while (size < name.length && name[size] != 0) {
            size++;
        }
        return ByteString.copyOf(Arrays.copyOf(name, size));
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
