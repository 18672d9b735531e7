package dev.cagewright.cli;

import dev.cagewright.cli.audit.AuditCommands;
import dev.cagewright.cli.audit.EventsCommand;
import dev.cagewright.cli.audit.PanicCommand;
import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.session.LsCommand;
import dev.cagewright.cli.session.WhyCommand;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `cagewright`: the only `main` of the product. Wires the commands by hand and turns what they throw into
/// one line and an exit code.
@Command(
        name = "cagewright",
        description = "Runs any agent, tool or MCP server in a cage.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(Console.ofProcess(System.getenv()), System.getenv(), args));
    }

    /// Runs one command line and returns its exit code.
    static int run(Console console, Map<String, String> environment, String... args) {
        try {
            return commands(console, StateFolders.of(environment), RawArguments::last)
                    .execute(args);
        } catch (IOException e) {
            console.say(Failures.sentence(e));
            return ExitCode.NO_CAGE.code();
        }
    }

    private static CommandLine commands(Console console, StateFolders folders, RunCommand.Words words) {
        var audit =
                new CommandLine(new AuditCommands(console, folders)).addSubcommand(new EventsCommand(console, folders));
        var root = new CommandLine(new Main())
                .addSubcommand(new CommandLine(new RunCommand(console, folders, words)).setStopAtPositional(true))
                .addSubcommand(new WhyCommand(console, folders))
                .addSubcommand(new LsCommand(console, folders))
                .addSubcommand(audit)
                .addSubcommand(new PanicCommand(console, folders))
                .addSubcommand(new VersionCommand(console));
        return root.addSubcommand(new CompletionCommand(console, () -> root))
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(new Failures(console));
    }
}
