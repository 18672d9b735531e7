package dev.cagewright.cli.life;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `cagewright shell`: a shell in a named cage that is up.
@Command(
        name = "shell",
        description = "Opens a shell in a named cage that is up: bash where it is there, else sh.",
        mixinStandardHelpOptions = true)
public final class ShellCommand implements Callable<Integer> {
    private final Background background;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    public ShellCommand(Background background) {
        this.background = background;
    }

    @Override
    public Integer call() throws IOException {
        return ExecCommand.exec(background, name, List.of(), ExecCommand.Wish.USUAL);
    }
}
