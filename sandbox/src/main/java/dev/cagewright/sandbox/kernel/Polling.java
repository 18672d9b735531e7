package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Waiting for several descriptors at once, poll(2).
public final class Polling {
    private static final short POLLIN = 1;
    private static final long ENTRY_SIZE = 8;
    private static final CFunction POLL = CFunction.ofInt("poll");

    /// Waits without end.
    public static final int FOREVER = -1;

    private Polling() {}

    /// Which of `descriptors` can be read, are at their end or are broken, by position.
    ///
    /// @param milliseconds how long to wait at most, [#FOREVER] for no bound; none is ready when it is over
    public static boolean[] readable(List<Integer> descriptors, int milliseconds) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var entries = arena.allocate(ENTRY_SIZE * descriptors.size(), 8);
            for (int i = 0; i < descriptors.size(); i++) {
                entries.set(ValueLayout.JAVA_INT, ENTRY_SIZE * i, descriptors.get(i));
                entries.set(ValueLayout.JAVA_SHORT, ENTRY_SIZE * i + 4, POLLIN);
            }
            long count = POLL.call(entries.address(), descriptors.size(), milliseconds);
            if (count != -Errno.EINTR) {
                KernelException.check(count, "poll");
            }
            var ready = new boolean[descriptors.size()];
            for (int i = 0; count > 0 && i < ready.length; i++) {
                ready[i] = entries.get(ValueLayout.JAVA_SHORT, ENTRY_SIZE * i + 6) != 0;
            }
            return ready;
        }
    }
}
