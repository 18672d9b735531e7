package dev.cagewright.supervisor.budget;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/// One count: how much of something was used in the period that runs. Safe for all threads.
sealed interface Meter permits RunMeter, WindowMeter {
    /// What [#take] answers when there is not enough left.
    long REFUSED = -1;

    /// Counts `amount` if no more than `limit` is used with it; does not wait.
    ///
    /// @return a token for [#giveBack], or [#REFUSED], and then nothing is counted
    long take(long amount, long limit);

    /// Uncounts what was taken for something that does not happen after all. Too late once the period is over.
    void giveBack(long token, long amount);

    /// How much is used now.
    long used();

    /// When the next period begins; empty if none does.
    Optional<Instant> comesBack();

    /// Makes the count survive a loss of power; waits for the disk.
    ///
    /// @throws IOException if it may not survive
    void flush() throws IOException;
}
