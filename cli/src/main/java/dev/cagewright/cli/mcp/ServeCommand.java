package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.run.CallSession;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.tools.ToolsOffer;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/// `cagewright mcp serve`: the product's own tools, for the client that started it or, on a socket, for several.
/// Standard
/// output is the protocol's alone.
public final class ServeCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final RunOptions options = new RunOptions();

    private final DoorChoice door = new DoorChoice();

    public ServeCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// As the command line knows it.
    public CommandSpec described() {
        var command = CommandText.of(
                "serve",
                this,
                "Offers run_command, read_file, write_file and http_fetch to an MCP client under a policy: each call is"
                        + " judged, done in one cage, and recorded. Standard input and output are the client's.",
                options.ofServer());
        for (var option : door.described()) {
            command.addOption(option);
        }
        command.usageMessage().footer("", "It ends when the client closes its side, and with it all that it ran.");
        return command;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var what = new CallSession.What(List.of("cagewright", "mcp", "serve"), CallSession.Telling.SUMMARY);
        return new ToolServing(console, folders, options).serve(what, Keyboard.TAKEN, this::served);
    }

    private int served(ToolsOffer tools) throws IOException {
        door.serve(tools, console);
        return ExitCode.OK.code();
    }
}
