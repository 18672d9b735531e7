package dev.cagewright.cli;

import dev.cagewright.cli.terminal.Console;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `cagewright completion`: a script for bash and zsh.
@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh: source <(cagewright completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    private final Console console;
    private final Supplier<CommandLine> commands;

    /// @param commands the whole command tree
    CompletionCommand(Console console, Supplier<CommandLine> commands) {
        this.console = console;
        this.commands = commands;
    }

    @Override
    public Integer call() {
        console.out().print(AutoComplete.bash("cagewright", commands.get()));
        return ExitCode.OK.code();
    }
}
