package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import java.util.HashSet;
import java.util.List;

/// How an allowed program starts. Its arguments and working directory are not here: they come from the
/// warrant, so that what was judged is what runs.
///
/// @param program the file to execute as seen in the cage, absolute, already resolved
/// @param environment the whole environment, `NAME=VALUE` each, names distinct, no NUL
/// @param leftovers what becomes of what it left running; a program on a terminal leaves it
public record Launch(ByteString program, List<ByteString> environment, Streams streams, Leftovers leftovers) {
    /// Together with the arguments it has to fit into what execve(2) takes.
    public static final int MAX_ENVIRONMENT_BYTES = 1 << 20;

    /// Processes that a program started, once it has ended.
    public enum Leftovers {
        /// They go on, as long as their cage does.
        LIVE_ON,
        /// They are killed, and the program has ended when they are dead.
        DIE
    }

    /// A program whose processes may outlive it.
    public Launch(ByteString program, List<ByteString> environment, Streams streams) {
        this(program, environment, streams, Leftovers.LIVE_ON);
    }

    public Launch {
        environment = List.copyOf(environment);
        if (program.size() == 0 || program.at(0) != '/' || program.contains((byte) 0)) {
            throw new IllegalArgumentException("program: " + program + " (expected: absolute, no NUL)");
        }
        requireVariables(environment);
    }

    /// The same with another environment.
    public Launch withEnvironment(List<ByteString> variables) {
        return new Launch(program, variables, streams, leftovers);
    }

    /// The same, of which nothing lives on.
    public Launch alone() {
        return new Launch(program, environment, streams, Leftovers.DIE);
    }

    private static void requireVariables(List<ByteString> environment) {
        var names = new HashSet<String>();
        long total = 0;
        for (var variable : environment) {
            int equals = variable.latin1().indexOf('=');
            if (equals < 1 || variable.contains((byte) 0)) {
                throw new IllegalArgumentException("environment: a variable is not NAME=VALUE without NUL");
            }
            var name = variable.latin1().substring(0, equals);
            if (!names.add(name)) {
                throw new IllegalArgumentException(
                        "environment: " + ByteString.of(name) + " twice (expected: distinct names)");
            }
            total += variable.size() + 1;
        }
        if (total > MAX_ENVIRONMENT_BYTES) {
            throw new IllegalArgumentException(
                    "environment: " + total + " bytes (expected: at most " + MAX_ENVIRONMENT_BYTES + ")");
        }
    }
}
