package dev.cagewright.cli.completion;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright completion [SHELL]`: a script by which a shell completes commands, options, and the names of cages,
/// scaffolds, sessions and policies.
@Command(
        name = "completion",
        description = {
            "Prints a completion script for bash, zsh or fish.",
            "bash, zsh: source <(cagewright completion); fish: cagewright completion fish | source"
        },
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final Supplier<CommandLine> commands;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SHELL", arity = "0..1", description = "bash (the default), zsh or fish.")
    private String shell = "bash";

    @Option(names = "--names", paramLabel = "KIND", hidden = true)
    private Optional<String> names = Optional.empty();

    /// @param commands the whole command tree
    public CompletionCommand(Console console, StateFolders folders, Supplier<CommandLine> commands) {
        this.console = console;
        this.folders = folders;
        this.commands = commands;
    }

    @Override
    public Integer call() throws IOException {
        if (names.isPresent()) {
            for (String name : NameKind.parse(names.get()).names(folders)) {
                console.out().println(name);
            }
            return ExitCode.OK.code();
        }
        switch (ShellKind.parse(shell)) {
            case BASH, ZSH -> {
                console.out().print(AutoComplete.bash("cagewright", commands.get()));
                console.out().print(BashNames.script());
            }
            case FISH -> FishCompletion.lines(commands.get()).forEach(console.out()::println);
        }
        return ExitCode.OK.code();
    }
}
