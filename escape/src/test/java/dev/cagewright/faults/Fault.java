package dev.cagewright.faults;

/// What happens at a step.
sealed interface Fault {
    /// A process of the run dies of SIGKILL.
    record Kill(Victim victim) implements Fault {
        @Override
        public String toString() {
            return victim.word() + " killed";
        }
    }

    /// The call, and every later one like it, fails.
    record Failure(Errno errno) implements Fault {}

    /// What disks say, with the numbers of errno(3).
    enum Errno {
        EIO(5),
        ENOSPC(28),
        EROFS(30);

        private final int number;

        Errno(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /// As [Stopper] is told.
    default String word() {
        return switch (this) {
            case Kill(Victim victim) -> victim.word();
            case Failure(Errno errno) -> "fail:" + errno.number();
        };
    }
}
