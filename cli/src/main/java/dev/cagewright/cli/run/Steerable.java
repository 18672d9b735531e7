package dev.cagewright.cli.run;

import dev.cagewright.sandbox.Run;

/// A program that runs, here or in a named cage: what a person's keys and window do to it.
public interface Steerable {
    /// Its terminal has another size.
    void resize(int rows, int columns);

    /// Somebody sent it a signal.
    ///
    /// @param signal a number of signal(7), 1 to 64
    void signal(int signal);

    /// Has `told` hear each time it has stopped on its terminal, as by Ctrl-Z; `SIGCONT` lets it go on. One that does
    /// not tell goes on by itself.
    default void whenStopped(Runnable told) {}

    /// The program of `run`.
    static Steerable of(Run run) {
        return new Steerable() {
            @Override
            public void resize(int rows, int columns) {
                run.resize(rows, columns);
            }

            @Override
            public void signal(int signal) {
                run.signal(signal);
            }

            @Override
            public void whenStopped(Runnable told) {
                run.whenStopped(told);
            }
        };
    }
}
