package dev.cagewright.policy.argv;

import java.util.List;

/// What one program does with its arguments, as far as its grammar tells.
sealed interface Reading {
    Reading PLAIN = new Plain();

    /// Nothing that a rule is about.
    record Plain() implements Reading {}

    /// An argument is code, or names where code comes from.
    ///
    /// @param at the argument's position
    /// @param what e.g. `bash takes a command string (-c)`
    record Code(int at, String what) implements Reading {}

    /// Other programs are started.
    record Starts(List<Command> commands) implements Reading {
        public Starts {
            commands = List.copyOf(commands);
        }
    }
}
