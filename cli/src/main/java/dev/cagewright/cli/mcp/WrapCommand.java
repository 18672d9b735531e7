package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.relay.Relay;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `cagewright mcp wrap`: stands where a client starts a server, and runs that server in a cage. The client speaks to
/// this process over its standard streams.
public final class WrapCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;
    private final RunCommand.Words words;
    private final ServerOptions options = new ServerOptions();
    private final DoorChoice door = new DoorChoice();

    private final PositionalParamSpec argv = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..1")
            .paramLabel("PROGRAM")
            .description("-- PROGRAM ARG...: the server, taken byte for byte.")
            .build();

    public WrapCommand(Console console, StateFolders folders, RunCommand.Words words) {
        this.console = console;
        this.folders = folders;
        this.words = words;
    }

    /// As the command line knows it.
    public CommandSpec described() {
        var command = CommandText.of(
                "wrap",
                this,
                "Runs an MCP server in a cage, or speaks to one elsewhere, in the place where a client starts it:"
                        + " standard input and output are the client's. What the policy does not name in mcp.tools cannot be called.",
                options.described());
        for (var option : door.described()) {
            command.addOption(option);
        }
        command.addPositional(argv);
        command.usageMessage().footer("", "It ends when the client closes its side.");
        return command;
    }

    @Override
    public Integer call() throws IOException {
        var caller = CallerEnvironment.read();
        ServerHouse.requireOutside(caller);
        List<String> given = argv.getValue();
        var own = given == null || given.isEmpty() ? List.<ByteString>of() : words.last(given.size());
        var program = options.program(new ServerOptions.Ground(console, folders, Optional.empty()), own, caller);
        var manners = options.manners();
        try (var relay = Relay.of(program, new ServerHouse(console, _ -> manners).house())) {
            door.serve(relay, console);
        }
        return ExitCode.OK.code();
    }
}
