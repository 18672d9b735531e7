package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.grant.GrantOffice;
import dev.cagewright.supervisor.grant.OrderAnswer;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright grants revoke`.
@Command(
        name = "revoke",
        description = "Takes a grant back; what is under way because of it is ended.",
        mixinStandardHelpOptions = true)
final class RevokeCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(arity = "1..2", paramLabel = "[SESSION] ID", hideParamSyntax = true, description = GrantWords.HELP)
    private List<String> words = List.of();

    RevokeCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var id = GrantWords.id(words);
        var answer = new GrantOffice(folders).revoke(id);
        if (answer.outcome() == OrderAnswer.Outcome.REFUSED) {
            console.say(Visible.text(answer.text()));
            return ExitCode.CHECK_FAILED.code();
        }
        console.out().println(Visible.text(id + ": " + answer.text()));
        return ExitCode.OK.code();
    }
}
