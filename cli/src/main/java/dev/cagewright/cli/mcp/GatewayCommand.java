package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.relay.Relay;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.mcpconfig.Server;
import dev.cagewright.supervisor.mcpconfig.ServerFile;
import dev.cagewright.supervisor.mcpconfig.StartingPolicy;
import dev.cagewright.supervisor.mcpconfig.Variables;
import dev.cagewright.supervisor.mcpconfig.Wrapping;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                "Serves all MCP servers of a client's file behind one door, each in a cage of its own, or elsewhere, under"
                        + " its own policy; tools are called SERVER__TOOL.",
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
                    file.path() + ": names no server (expected: one with a command, or a url)");
        }
        try (var relay = Relay.of(programs, new ServerHouse(console, this::manners).house())) {
            door.serve(relay, console);
        }
        return ExitCode.OK.code();
    }

    private ServerHouse.Manners manners(String server) {
        return manners.getOrDefault(server, ServerHouse.Manners.USUAL);
    }

    private List<GuestProgram> programs(ServerFile file) throws IOException {
        var wrapping = new Wrapping(file, new StartingPolicy(List.of(), StartingPolicy.Registries.NONE));
        var wrapped = new HashMap<String, Wrapping.Wrapped>();
        wrapping.wrapped().forEach(one -> wrapped.put(one.server().name(), one));
        var programs = new ArrayList<GuestProgram>();
        for (Server server : file.servers()) {
            var one = Optional.ofNullable(wrapped.get(server.name()));
            var variables = new HashMap<>(file.environment(server.name()));
            one.ifPresent(known -> variables.putAll(known.environment()));
            switch (server) {
                case Server.Program program -> {
                    var own = one.map(Wrapping.Wrapped::words).orElseGet(program::words);
                    if (isWrapped(own)) {
                        programs.add(program(program.name(), own, variables));
                    } else {
                        leave(program.name(), "is started by another command of cagewright: import it again");
                    }
                }
                case Server.Remote remote ->
                    programs.add(program(remote.name(), one.orElseThrow().words(), variables));
                case Server.Odd(String name, String why) -> leave(name, why);
            }
        }
        return programs;
    }

    private static boolean isWrapped(List<String> words) {
        return words.size() > WRAP.size() && words.subList(1, 1 + WRAP.size()).equals(WRAP);
    }

    private void leave(String name, String why) {
        console.say(Visible.text("the MCP server " + name + " is left out: it " + why));
    }

    /// @param words as somebody would start it
    /// @param more variables that its file sets
    /// @throws IllegalArgumentException saying what is wrong with them
    private GuestProgram program(String name, List<String> words, Map<String, String> more) throws IOException {
        var options = new ServerOptions();
        var own = new Behind(options, with(words.subList(1 + WRAP.size(), words.size())));
        var caller = new HashMap<>(CallerEnvironment.read());
        var known = new Variables(variable ->
                Optional.ofNullable(caller.get(ByteString.of(variable))).map(ByteString::latin1));
        var set = new HashMap<ByteString, ByteString>();
        more.forEach((variable, value) -> set.put(
                ByteString.of(variable), ByteString.of(known.in("server " + name + ": env " + variable, value))));
        var argv = own.program(name).stream()
                .map(word -> ByteString.of(known.in("server " + name + ": args", word)))
                .toList();
        caller.putAll(set);
        manners.put(name, options.manners());
        return options.program(new ServerOptions.Ground(console, folders, Optional.of(name)), argv, caller);
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
        List<String> program(String name) {
            int end = words.contains("--") ? words.indexOf("--") : words.size();
            var spec = CommandText.of("wrap", this, "", options.described());
            try {
                new CommandLine(spec).parseArgs(words.subList(0, end).toArray(String[]::new));
            } catch (ParameterException e) {
                throw new IllegalArgumentException("server " + name + ": " + e.getMessage(), e);
            }
            return words.subList(Math.min(words.size(), end + 1), words.size());
        }
    }
}
