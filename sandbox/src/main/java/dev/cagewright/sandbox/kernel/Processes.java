package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/// Other processes by descriptor, this one's identity, and a terminal's size.
public final class Processes {
    public static final int SIGKILL = 9;
    public static final int SIGCONT = 18;
    private static final int SIGTSTP = 20;
    private static final int SIG_BLOCK = 0;
    private static final int SIG_UNBLOCK = 1;

    /// The C library's `sigset_t`, bytes.
    private static final int SIGNAL_SET = 128;

    /// The same on every architecture, asm-generic/unistd.h.
    private static final int NR_PIDFD_SEND_SIGNAL = 424;

    private static final int TIOCSWINSZ = 0x5414;
    private static final CFunction SYSCALL = CFunction.ofInt("syscall");
    private static final CFunction IOCTL = CFunction.ofInt("ioctl");
    private static final CFunction SETSID = CFunction.ofInt("setsid");
    private static final CFunction KILL = CFunction.ofInt("kill");
    private static final CFunction SIGNAL_MASK = CFunction.ofInt("pthread_sigmask");
    private static final CFunction RAISE = CFunction.ofInt("raise");
    private static final CFunction GETEUID = CFunction.ofInt("geteuid");
    private static final CFunction GETEGID = CFunction.ofInt("getegid");

    private Processes() {}

    /// Kills the process behind `pidfd`; one that has ended stays ended.
    public static void kill(int pidfd) {
        SYSCALL.call(NR_PIDFD_SEND_SIGNAL, pidfd, SIGKILL, 0, 0, 0);
    }

    /// Stops this process and the others of its group as Ctrl-Z does, `SIGTSTP`, and returns when it goes on.
    /// A group that nobody would let go on again is not stopped. The signal must have its default meaning,
    /// and the thread be none of the virtual ones.
    ///
    /// One waits for this thread meanwhile. Where the other threads take theirs late, it stops them in time;
    /// where they took it, going on has thrown it away.
    public static void suspend() {
        try (var arena = Arena.ofConfined()) {
            var stop = arena.allocate(SIGNAL_SET, Long.BYTES);
            stop.set(ValueLayout.JAVA_LONG, 0, 1L << (SIGTSTP - 1));
            SIGNAL_MASK.call(SIG_BLOCK, stop.address(), 0);
            RAISE.call(SIGTSTP);
            KILL.call(0, SIGTSTP);
            SIGNAL_MASK.call(SIG_UNBLOCK, stop.address(), 0);
        }
    }

    public static int effectiveUser() {
        return (int) GETEUID.call();
    }

    public static int effectiveGroup() {
        return (int) GETEGID.call();
    }

    /// Leaves the session and the terminal that this process was started in; one that leads a group stays.
    public static void leaveSession() {
        SETSID.call();
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
