package dev.cagewright.cli.demo.attack;

import dev.cagewright.cli.terminal.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Runs commands and keeps what they print.
record KeptCommands(AttackCommand.Commands commands) implements Play.Stagehand {
    @Override
    public Play.Ran run(Map<String, String> folders, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int exit = commands.run(
                Console.into(
                        new PrintStream(out, /* autoFlush= */ true, StandardCharsets.UTF_8),
                        new PrintStream(err, /* autoFlush= */ true, StandardCharsets.UTF_8)),
                folders,
                words);
        return new Play.Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// Runs one that has to work.
    ///
    /// @throws IOException with what it printed if it does not
    void must(Map<String, String> folders, String... words) throws IOException {
        var ran = run(folders, words);
        if (ran.exit() != 0) {
            throw new IOException(words[0] + " " + words[1] + ": " + (ran.err() + ran.out()).strip());
        }
    }
}
