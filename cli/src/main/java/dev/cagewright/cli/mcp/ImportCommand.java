package dev.cagewright.cli.mcp;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.mcpconfig.Server;
import dev.cagewright.supervisor.mcpconfig.ServerFile;
import dev.cagewright.supervisor.mcpconfig.StartingPolicy;
import dev.cagewright.supervisor.mcpconfig.Wrapping;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright mcp import`: shows how each program of a file of MCP servers would be started in a cage of its own, and
/// each server elsewhere be asked, and writes that, and a policy for each, when told to.
@Command(
        name = "import",
        aliases = "wrap-config",
        description =
                "Shows each server of .mcp.json in a cage of its own, or asked by its address, with a policy to begin with;"
                        + " --write changes the file. Nothing of it is executed.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description =
                    "The file; .mcp.json here by default. Also .cursor/mcp.json, .vscode/mcp.json and their like.")
    @SuppressWarnings("FieldCanBeFinal")
    private Path file = Path.of(".mcp.json");

    @Option(names = "--write", description = "Write the file and the policies without asking.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean write = false;

    @Option(
            names = "--allow",
            paramLabel = "HOST",
            description = "A host that each of them may reach; may be repeated.")
    @SuppressWarnings("FieldCanBeFinal")
    private List<String> hosts = List.of();

    @Option(names = "--registries", description = "npx, uvx and their like may fetch packages from their registry.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean registries = false;

    public ImportCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var servers = ServerFile.read(file);
        var policy =
                new StartingPolicy(hosts, registries ? StartingPolicy.Registries.OWN : StartingPolicy.Registries.NONE);
        var wrapping = new Wrapping(servers, policy);
        for (Wrapping.Wrapped one : wrapping.wrapped()) {
            show(wrapping, one);
        }
        servers.servers().forEach(this::showOther);
        if (wrapping.wrapped().isEmpty()) {
            console.say("there is no server to wrap in " + Visible.text(file.toString()));
            return ExitCode.OK.code();
        }
        if (write || isAgreed()) {
            write(wrapping);
        } else {
            console.say("nothing is written; --write does it");
        }
        return ExitCode.OK.code();
    }

    private void show(Wrapping wrapping, Wrapping.Wrapped one) {
        console.out().println(console.palette().strong(Visible.text(one.server().name())));
        var now = switch (one.server()) {
            case Server.Program program -> line(program.command(), program.arguments());
            case Server.Remote remote -> Visible.text(remote.url());
            case Server.Odd odd -> odd.why();
        };
        console.out().println("  now   " + now);
        console.out()
                .println("  then  "
                        + line(
                                one.words().getFirst(),
                                one.words().subList(1, one.words().size())));
        console.out().println("  policy " + one.policy() + ".yaml:");
        wrapping.policyOf(one).lines().map(line -> "    " + Visible.text(line)).forEach(console.out()::println);
        switch (one.server()) {
            case Server.Program program -> advise(program);
            case Server.Remote remote -> advise(remote);
            case Server.Odd _ -> {
                return;
            }
        }
    }

    private void advise(Server.Program program) {
        if (!registries && StartingPolicy.registryOf(program).isPresent()) {
            console.out().println("  it fetches what it runs: --registries lets it ask its registry");
        }
        program.variables().stream()
                .filter(name -> name.matches("(?i).*(TOKEN|KEY|SECRET|PASSWORD).*"))
                .forEach(name -> console.out()
                        .println("  " + Visible.text(name) + " is kept out of cages: cagewright secret set, and"
                                + " credentials in its policy"));
    }

    private void advise(Server.Remote remote) {
        if (remote.host().isEmpty()) {
            console.out().println("  its host cannot be read: name it in net.hosts of the policy");
        }
        if (!remote.headers().isEmpty()) {
            console.out()
                    .println("  "
                            + Visible.text(String.join(", ", remote.headers().keySet()))
                            + ": where a variable there is a secret of the policy (cagewright secret set, and"
                            + " credentials), the gateway puts the value in");
        }
    }

    private static String line(String first, List<String> rest) {
        return Visible.text(first + rest.stream().map(ImportCommand::quoted).collect(Collectors.joining(" ", " ", "")))
                .strip();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private void showOther(Server server) {
        switch (server) {
            case Server.Program program -> {
                if (program.isCaged()) {
                    console.out().println(Visible.text(program.name()) + ": is started in a cage already");
                }
            }
            case Server.Remote _ -> {
                return; // shown among those that change
            }
            case Server.Odd(String name, String why) ->
                console.out().println(Visible.text(name) + ": left as it is: " + Visible.text(why));
        }
    }

    private boolean isAgreed() throws IOException {
        if (!Terminal.at(0).isPresent() || !Terminal.at(2).isPresent()) {
            return false;
        }
        console.ask("write " + Visible.text(file.toString()) + " and the policies? [y/N] ");
        int answer = new FileInputStream(FileDescriptor.in).read();
        return answer == 'y' || answer == 'Y';
    }

    /// The policies first: a file that names one that is not there starts nothing.
    private void write(Wrapping wrapping) throws IOException {
        var policies = PolicyFiles.of(folders).named();
        Files.createDirectories(
                policies, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (Wrapping.Wrapped one : wrapping.wrapped()) {
            var policy = policies.resolve(one.policy() + ".yaml");
            try {
                Files.writeString(policy, wrapping.policyOf(one), StandardOpenOption.CREATE_NEW);
                console.out().println(Visible.text(policy.toString()));
            } catch (FileAlreadyExistsException _) {
                console.say(Visible.text(policy + " is there already and stays as it is"));
            }
        }
        wrapping.write();
        console.out().println(Visible.text(file.toString()));
    }
}
