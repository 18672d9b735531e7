package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/// Other processes by descriptor, this one's identity, and a terminal's size.
public final class Processes {
    public static final int SIGKILL = 9;

    /// The same on every architecture, asm-generic/unistd.h.
    private static final int NR_PIDFD_SEND_SIGNAL = 424;

    private static final int TIOCSWINSZ = 0x5414;
    private static final CFunction SYSCALL = CFunction.ofInt("syscall");
    private static final CFunction IOCTL = CFunction.ofInt("ioctl");
    private static final CFunction GETEUID = CFunction.ofInt("geteuid");
    private static final CFunction GETEGID = CFunction.ofInt("getegid");

    private Processes() {}

    /// Kills the process behind `pidfd`; one that has ended stays ended.
    public static void kill(int pidfd) {
        SYSCALL.call(NR_PIDFD_SEND_SIGNAL, pidfd, SIGKILL, 0, 0, 0);
    }

    public static int effectiveUser() {
        return (int) GETEUID.call();
    }

    public static int effectiveGroup() {
        return (int) GETEGID.call();
    }

    /// Sets the size of the terminal behind `master`.
    public static void resize(int master, int rows, int columns) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 2);
            size.set(ValueLayout.JAVA_SHORT, 0, (short) rows);
            size.set(ValueLayout.JAVA_SHORT, 2, (short) columns);
            KernelException.check(IOCTL.call(master, TIOCSWINSZ, size.address()), "ioctl(TIOCSWINSZ)");
        }
    }
}
