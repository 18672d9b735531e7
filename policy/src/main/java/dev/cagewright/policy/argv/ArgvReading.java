package dev.cagewright.policy.argv;

import java.util.List;
import java.util.Optional;

/// What an argument list will start, as far as its text tells.
///
/// @param programs every program it names, the outermost first, at least one
/// @param code what the argument rules refuse, if anything
public record ArgvReading(List<Started> programs, Optional<CodeInArgv> code) {

    /// A program that the list names.
    ///
    /// @param at the position of the name
    public record Started(int at, ProgramName name) {}

    /// An argument that is code, or that names where code comes from.
    ///
    /// @param at the argument's position; the list's length when it will come from standard input
    /// @param what one clause for people, without control characters
    public record CodeInArgv(int at, String what) {
        /// E.g. `argv[1]: bash takes a command string (-c)`.
        @Override
        public String toString() {
            return "argv[" + at + "]: " + what;
        }
    }

    public ArgvReading {
        programs = List.copyOf(programs);
    }
}
