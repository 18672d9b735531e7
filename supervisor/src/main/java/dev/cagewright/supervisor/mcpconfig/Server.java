package dev.cagewright.supervisor.mcpconfig;

import java.util.ArrayList;
import java.util.List;

/// A server that a file names.
public sealed interface Server {
    /// What the file calls it; any text.
    String name();

    /// A program that a client starts and talks to over its pipes.
    ///
    /// @param command as it stands there
    /// @param variables names of those that the file sets; their values may be secrets
    record Program(String name, String command, List<String> arguments, List<String> variables) implements Server {
        public Program {
            arguments = List.copyOf(arguments);
            variables = List.copyOf(variables);
        }

        /// What a client starts, the program first.
        public List<String> words() {
            var words = new ArrayList<String>();
            words.add(command);
            words.addAll(arguments);
            return words;
        }

        /// Is it started by this product already?
        public boolean isCaged() {
            var program = command.substring(command.lastIndexOf('/') + 1);
            return program.equals("cagewright");
        }
    }

    /// A server somewhere else.
    ///
    /// @param host and port as its address names them; empty when it is no address of the web
    record Remote(String name, String host) implements Server {}

    /// An entry that is neither.
    record Odd(String name, String why) implements Server {}
}
