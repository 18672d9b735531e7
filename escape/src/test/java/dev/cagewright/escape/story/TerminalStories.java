package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;
import static dev.cagewright.escape.Outcome.skipped;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The person's terminal, made by script(1).
record TerminalStories(Stage stage) {
    List<Probe> probes() {
        return List.of(new Probe(
                "B161-terminal-restored",
                Invariant.I9,
                "leave the person's terminal in another mode",
                new Twin("a program on the terminal sees a terminal", () -> {
                    var result = onTerminal("test", "-t", "0");
                    return isWithoutScript()
                            ? skipped("no script(1) on this host")
                            : result.contains("exit 0") ? held("works") : fell(result);
                }),
                new Twin("raw mode, another interrupt key, the alternate screen, then SIGKILL", this::spoils)));
    }

    private static boolean isWithoutScript() {
        return !Files.isExecutable(Path.of("/usr/bin/script"));
    }

    private Outcome spoils() throws IOException, InterruptedException {
        if (isWithoutScript()) {
            return skipped("no script(1) on this host");
        }
        var output = onTerminal(stage.probe().toString(), "story", "spoil-terminal");
        var lines = output.lines().filter(line -> line.startsWith("mode ")).toList();
        boolean isSame = lines.size() == 2 && lines.getFirst().equals(lines.getLast());
        return isSame && output.contains("exit 137") ? held("the same mode, exit 137") : fell(output);
    }

    /// Runs it in a cage on a terminal and answers what the terminal showed, with its mode before and after.
    private String onTerminal(String... argv) throws IOException, InterruptedException {
        var cage = stage.cage();
        var words = String.join(" ", argv);
        var script = stage.workspace().script("free/terminal.sh", """
                echo "mode $(stty -g)"
                '%s' run --policy '%s' --audit '%s' -- %s
                echo "exit $?"
                echo "mode $(stty -g)"
                """.formatted(
                        stage.product().command(), cage.policy(), cage.audit(), words));
        var command = List.of("script", "-qec", "sh " + script, "/dev/null");
        try (var run =
                Command.start(stage.person().does(command), stage.workspace().root(), stage.environment())) {
            return run.await().out().replace("\r", "");
        }
    }
}
