package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright grants list`.
@Command(name = "list", description = "Lists the grants that hold.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
    private final GrantRows rows;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(arity = "0..1", paramLabel = "SESSION", description = SessionWord.HELP + " By default all that live.")
    private Optional<String> session = Optional.empty();

    @Option(names = "--all", description = "Those that are over, too.")
    private boolean all;

    @Option(names = "--json", description = "Print one JSON array.")
    private boolean json;

    ListCommand(Console console, StateFolders folders) {
        this.rows = new GrantRows(console, folders);
    }

    @Override
    public Integer call() throws IOException {
        var found = rows.of(session, all ? GrantRows.Which.ALL : GrantRows.Which.HOLDING);
        if (json) {
            rows.json(found);
        } else {
            rows.show(found);
        }
        return ExitCode.OK.code();
    }
}
