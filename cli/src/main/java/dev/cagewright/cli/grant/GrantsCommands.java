package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `cagewright grants ...`: what running cages may reach for a time, beside their policies.
@Command(
        name = "grants",
        description = {
            "Lists, gives and takes back grants: what a running cage may reach for a time beside its policy.",
            "Without a command, lists those that hold."
        },
        mixinStandardHelpOptions = true)
public final class GrantsCommands implements Callable<Integer> {
    private final GrantRows rows;

    private GrantsCommands(Console console, StateFolders folders) {
        this.rows = new GrantRows(console, folders);
    }

    /// All of them.
    public static CommandLine of(Console console, StateFolders folders) {
        return new CommandLine(new GrantsCommands(console, folders))
                .addSubcommand(new ListCommand(console, folders))
                .addSubcommand(new AddCommand(console, folders))
                .addSubcommand(new RevokeCommand(console, folders))
                .addSubcommand(new PromoteCommand(console, folders))
                .addSubcommand(new SyncCommand(console, folders));
    }

    @Override
    public Integer call() throws IOException {
        rows.show(rows.of(Optional.empty(), GrantRows.Which.HOLDING));
        return ExitCode.OK.code();
    }
}
