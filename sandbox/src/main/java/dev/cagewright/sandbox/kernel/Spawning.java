package dev.cagewright.sandbox.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/// Starting a program that inherits one descriptor: `ProcessBuilder` cannot pass any above 2.
public final class Spawning {
    /// More than glibc's 80 and musl's 80 bytes.
    private static final long FILE_ACTIONS_SIZE = 256;

    private static final CFunction POSIX_SPAWN = CFunction.ofInt("posix_spawn");
    private static final CFunction ACTIONS_INIT = CFunction.ofInt("posix_spawn_file_actions_init");
    private static final CFunction ACTIONS_ADD = CFunction.ofInt("posix_spawn_file_actions_adddup2");
    private static final CFunction ACTIONS_DESTROY = CFunction.ofInt("posix_spawn_file_actions_destroy");
    private static final CFunction WAITPID = CFunction.ofInt("waitpid");

    private Spawning() {}

    /// Executes the file behind `program` with no arguments and no environment.
    ///
    /// @param inherited becomes `number` in the new process
    /// @return its process number; it must be reaped
    public static long spawn(int program, int inherited, int number) throws KernelException {
        try (var arena = Arena.ofConfined()) {
            var actions = arena.allocate(FILE_ACTIONS_SIZE, 16);
            ACTIONS_INIT.call(actions.address());
            ACTIONS_ADD.call(actions.address(), inherited, number);
            var pid = arena.allocate(ValueLayout.JAVA_INT);
            var nothing = arena.allocate(16, 8);
            var path = arena.allocateFrom("/proc/self/fd/" + program);
            long errno = POSIX_SPAWN.call(
                    pid.address(), path.address(), actions.address(), 0, nothing.address(), nothing.address());
            ACTIONS_DESTROY.call(actions.address());
            KernelException.check(-errno, "posix_spawn(cage helper)");
            return pid.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /// Waits until the child has ended and forgets it.
    public static void reap(long pid) {
        long result;
        do {
            result = WAITPID.call(pid, 0, 0);
        } while (result == -Errno.EINTR);
    }
}
