package dev.cagewright.cli.mcp;

import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.state.StateFolders;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/// `cagewright mcp ...`.
@Command(
        name = "mcp",
        description = "MCP servers: puts them into cages of their own, and judges what is asked of them.",
        mixinStandardHelpOptions = true)
public final class McpCommands {
    private McpCommands() {}

    /// With all that is below it.
    public static CommandLine of(Console console, StateFolders folders, RunCommand.Words words) {
        return new CommandLine(new McpCommands())
                .addSubcommand(new CommandLine(new ServeCommand(console, folders).described()))
                .addSubcommand(new CommandLine(new CallCommand(console, folders).described()))
                .addSubcommand(programLast(new WrapCommand(console, folders, words).described()))
                .addSubcommand(new GatewayCommand(console, folders).described())
                .addSubcommand(new PinCommand(console, folders))
                .addSubcommand(new DiffCommand(console, folders))
                .addSubcommand(new ImportCommand(console, folders));
    }

    /// What follows the first word that is no option is the server's.
    private static CommandLine programLast(CommandSpec command) {
        return new CommandLine(command).setStopAtPositional(true);
    }
}
