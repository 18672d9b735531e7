package dev.cagewright.cli.policy;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.observed.Suggestion;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy suggest SESSION...`: the lines that would allow what was denied. Writes nothing.
@Command(
        name = "suggest",
        description = {
            "Shows the narrowest lines of a policy that would allow what sessions were denied, and what no line allows.",
            "Applies nothing: read each line before it goes into a policy."
        },
        mixinStandardHelpOptions = true)
public final class SuggestCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", arity = "1..*", description = SessionWord.HELP)
    private List<String> sessions = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public SuggestCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var decisions = PastSessions.read(console, folders, sessions);
        return (decisions.isPresent() ? tell(Suggestion.of(decisions.get())) : ExitCode.CHECK_FAILED).code();
    }

    private ExitCode tell(Suggestion suggestion) {
        if (json) {
            console.out().println(suggestion.toJson().write());
        } else if (suggestion.lines().isEmpty() && suggestion.never().isEmpty()) {
            console.say("nothing was denied");
        } else {
            suggestion.text().lines().map(Visible::text).forEach(console.out()::println);
        }
        return ExitCode.OK;
    }
}
