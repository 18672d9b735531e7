package dev.cagewright.sandbox;

import java.time.Duration;
import java.util.Optional;

/// One program in a [Cage]. Safe for all threads.
public interface Run {
    /// Waits for the end. Output is complete and both output streams are flushed when it returns; a
    /// grandchild that holds a pipe open delays it by at most a second.
    Exit await() throws InterruptedException;

    /// Like [#await()], for at most `patience`; empty when the program still runs.
    Optional<Exit> await(Duration patience) throws InterruptedException;

    /// Sets the size of the program's terminal; the kernel tells the foreground group. Without a
    /// terminal nothing happens.
    void resize(int rows, int columns);

    /// Has `told` hear each time a program that has a terminal stopped itself or was stopped by its key. The
    /// program waits for a `signal` with `SIGCONT`; where nobody listens it goes on after a moment. `told` runs
    /// on a thread that it must not hold up.
    default void whenStopped(Runnable told) {}

    /// Sends a signal to the program's process group. Nothing happens when it has ended.
    ///
    /// @param signal a number of signal(7), 1 to 64
    void signal(int signal);
}
