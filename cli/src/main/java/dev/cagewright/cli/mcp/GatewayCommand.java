package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.relay.Relay;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.mcpconfig.Server;
import dev.cagewright.supervisor.mcpconfig.ServerFile;
import dev.cagewright.supervisor.mcpconfig.StartingPolicy;
import dev.cagewright.supervisor.mcpconfig.Wrapping;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// `cagewright mcp gateway`: the servers of a client's file behind one door, each in a cage of its own under a policy
/// of
/// its own.
public final class GatewayCommand implements Callable<Integer> {
    private static final List<String> WRAP = List.of("mcp", "wrap");

    private final Console console;
    private final StateFolders folders;
    private final DoorChoice door = new DoorChoice();

    private final OptionSpec config =
            CommandText.text("FILE", "The servers, as .mcp.json names them; by default the one here.", "--config");

    private final OptionSpec workspace = CommandText.text(
            "DIR",
            "The directory that policies call /workspace, for servers that name none; by default this one.",
            "--workspace");

    private final OptionSpec audit =
            CommandText.text("LOG", "The audit log; by default the one of your state folder.", "--audit");

    private final OptionSpec pinFirst = ServerOptions.pinFirst();

    private final OptionSpec learn = CommandText.flag(
            "Let hosts and tools through that no rule names, and show at each server's end what was lacking.",
            "--learn");

    private final Map<String, ServerHouse.Manners> manners = new HashMap<>();

    public GatewayCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// As the command line knows it.
    public CommandSpec described() {
        var command = CommandText.of(
                "gateway",
                this,
                "Serves all MCP servers of a client's file behind one door, each in a cage of its own under its own"
                        + " policy; tools are called SERVER__TOOL.",
                config,
                workspace,
                audit,
                pinFirst,
                learn);
        for (var option : door.described()) {
            command.addOption(option);
        }
        command.usageMessage()
                .footer("", "cagewright mcp import FILE --write makes a policy for each server, to begin with.");
        return command;
    }

    @Override
    public Integer call() throws IOException {
        ServerHouse.requireOutside(CallerEnvironment.read());
        var file = ServerFile.read(Path.of(CommandText.given(config).orElse(".mcp.json")));
        var programs = programs(file);
        if (programs.isEmpty()) {
            throw new IllegalArgumentException(
                    file.path() + ": names no server that is a program (expected: one with a command)");
        }
        try (var relay = Relay.of(programs, new ServerHouse(console, this::manners).house())) {
            door.serve(relay, console);
        }
        return ExitCode.OK.code();
    }

    private ServerHouse.Manners manners(String server) {
        return manners.getOrDefault(server, ServerHouse.Manners.USUAL);
    }

    private List<ServerProgram> programs(ServerFile file) throws IOException {
        var wrapping = new Wrapping(file, new StartingPolicy(List.of(), StartingPolicy.Registries.NONE));
        var words = new HashMap<String, List<String>>();
        wrapping.wrapped().forEach(one -> words.put(one.program().name(), one.words()));
        var programs = new ArrayList<ServerProgram>();
        for (Server server : file.servers()) {
            switch (server) {
                case Server.Program program -> {
                    var own = words.getOrDefault(program.name(), program.words());
                    if (own.size() > WRAP.size()
                            && own.subList(1, 1 + WRAP.size()).equals(WRAP)) {
                        programs.add(program(program.name(), own.subList(1 + WRAP.size(), own.size()), file));
                    } else {
                        leave(program.name(), "is started by another command of cagewright: import it again");
                    }
                }
                case Server.Remote(String name, String _) ->
                    leave(name, "is elsewhere, and no program to put into a cage");
                case Server.Odd(String name, String why) -> leave(name, why);
            }
        }
        return programs;
    }

    private void leave(String name, String why) {
        console.say(Visible.text("the MCP server " + name + " is left out: it " + why));
    }

    /// @param words behind `mcp wrap`
    /// @throws IllegalArgumentException saying what is wrong with them
    private ServerProgram program(String name, List<String> words, ServerFile file) throws IOException {
        var options = new ServerOptions();
        var own = new Behind(options, with(words));
        var caller = new HashMap<>(CallerEnvironment.read());
        for (Map.Entry<String, String> variable : file.environment(name).entrySet()) {
            caller.put(ByteString.of(variable.getKey()), ByteString.of(variable.getValue()));
        }
        var argv = own.program(name);
        manners.put(name, options.manners());
        return new ServerProgram(console, folders, name, options.order(argv, caller));
    }

    /// What is said of all goes for those that say nothing of it.
    private List<String> with(List<String> words) {
        int end = words.contains("--") ? words.indexOf("--") : words.size();
        var own = words.subList(0, end);
        var all = new ArrayList<String>();
        for (OptionSpec option : List.of(workspace, audit, pinFirst)) {
            var given = CommandText.given(option);
            if (given.isPresent() && !own.contains(option.longestName())) {
                all.addAll(List.of(option.longestName(), given.get()));
            }
        }
        if (CommandText.isGiven(learn) && !own.contains(learn.longestName())) {
            all.add(learn.longestName());
        }
        all.addAll(words);
        return all;
    }

    /// The words of one server, taken apart.
    private record Behind(ServerOptions options, List<String> words) {
        /// @throws IllegalArgumentException saying what is wrong with them
        List<ByteString> program(String name) {
            int end = words.contains("--") ? words.indexOf("--") : words.size();
            var spec = CommandText.of("wrap", this, "", options.described());
            try {
                new CommandLine(spec).parseArgs(words.subList(0, end).toArray(String[]::new));
            } catch (ParameterException e) {
                throw new IllegalArgumentException("server " + name + ": " + e.getMessage(), e);
            }
            return words.subList(Math.min(words.size(), end + 1), words.size()).stream()
                    .map(ByteString::of)
                    .toList();
        }
    }
}
