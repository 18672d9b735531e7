package dev.cagewright.cli.named;

import dev.cagewright.cli.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// The product's own commands, for a command that needs what another says.
@FunctionalInterface
public interface Words {
    /// Runs one command line and returns its exit code.
    ///
    /// @param changed variables that are other than this process's
    int run(Console into, Map<String, String> changed, List<String> words);

    /// What a command printed, and how it ended.
    ///
    /// @param out its result
    /// @param err what it said
    record Said(int code, String out, String err) {}

    /// Runs one command line and keeps what it prints.
    default Said heard(Map<String, String> changed, List<String> words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        try (var printed = new PrintStream(out, true, StandardCharsets.UTF_8);
                var said = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            int code = run(Console.into(printed, said), changed, words);
            return new Said(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }
}
