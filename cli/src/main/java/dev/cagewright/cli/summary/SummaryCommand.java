package dev.cagewright.cli.summary;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright summary SESSION`: what a run came to, as it was told at its end.
@Command(
        name = "summary",
        description = "Shows what a run came to: hosts, denials and what would allow them, files, approvals, receipt.",
        mixinStandardHelpOptions = true)
public final class SummaryCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", arity = "0..1", description = SessionWord.HELP + " By default last.")
    private String session = "last";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public SummaryCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var record = SessionWord.find(folders, session);
        if (record.isEmpty()) {
            console.say("no session " + Visible.text(session) + " (cagewright ls lists them)");
            return ExitCode.CHECK_FAILED.code();
        }
        var expected = Expected.of(folders, record.get());
        var facts = FactsReader.read(record.get(), folders.session(record.get().id()), expected);
        if (json) {
            console.out().println(SummaryJson.of(facts).write());
        } else {
            var now = InstantSource.system().instant();
            console.out().println(SummaryText.head(record.get(), now));
            SummaryText.of(facts, console.palette()).forEach(console.out()::println);
        }
        return ExitCode.OK.code();
    }
}
