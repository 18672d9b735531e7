package dev.cagewright.sandbox.kernel;

import dev.cagewright.sandbox.Descriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;

/// Waiting for any of many descriptors at a cost that does not grow with their number, epoll(7). One
/// thread waits; others may add and remove.
public final class EventPoll implements AutoCloseable {
    private static final int EPOLL_CLOEXEC = FileControl.O_CLOEXEC;
    private static final int ADD = 1;
    private static final int REMOVE = 2;
    private static final int EPOLLIN = 1;
    private static final int FOREVER = -1;

    /// How many are told at once; the rest the next time.
    private static final int MOST = 64;

    /// `struct epoll_event` is packed on x86-64 and nowhere else, linux/eventpoll.h.
    private static final boolean PACKED =
            System.getProperty("os.arch", "").toLowerCase(Locale.ROOT).matches("amd64|x86_64");

    private static final long KEY = PACKED ? 4 : 8;
    private static final long ENTRY_SIZE = KEY + 8;

    private static final CFunction CREATE = CFunction.ofInt("epoll_create1");
    private static final CFunction CONTROL = CFunction.ofInt("epoll_ctl");
    private static final CFunction WAIT = CFunction.ofInt("epoll_wait");

    private final Descriptor poll;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate(ENTRY_SIZE * MOST, 8);

    private EventPoll(Descriptor poll) {
        this.poll = poll;
    }

    public static EventPoll open() throws KernelException {
        return new EventPoll(new Descriptor((int) KernelException.check(CREATE.call(EPOLL_CLOEXEC), "epoll_create1")));
    }

    /// Waits for `descriptor` too, under `key`, until it is removed.
    public void add(int descriptor, long key) throws KernelException {
        try (var one = Arena.ofConfined()) {
            var event = one.allocate(ENTRY_SIZE, 8);
            event.set(ValueLayout.JAVA_INT, 0, EPOLLIN);
            event.set(ValueLayout.JAVA_LONG_UNALIGNED, KEY, key);
            long result = CONTROL.call(poll.number(), ADD, descriptor, event.address());
            KernelException.check(result, "epoll_ctl(EPOLL_CTL_ADD)");
        }
    }

    /// Forgets `descriptor`, which is still open.
    public void remove(int descriptor) {
        CONTROL.call(poll.number(), REMOVE, descriptor, 0);
    }

    /// Waits until there is something to read or an end is reached.
    ///
    /// @return the keys of some that are ready; the same again the next time if nothing was read
    public long[] await() throws KernelException {
        long count = WAIT.call(poll.number(), events.address(), MOST, FOREVER);
        if (count == -Errno.EINTR) {
            return new long[0];
        }
        KernelException.check(count, "epoll_wait");
        var keys = new long[(int) count];
        Arrays.setAll(keys, i -> events.get(ValueLayout.JAVA_LONG_UNALIGNED, ENTRY_SIZE * i + KEY));
        return keys;
    }

    @Override
    public void close() {
        poll.close();
        arena.close();
    }
}
