package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.named.FirstPolicy;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Installation;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright init NAME`: a cage that lasts, as files to edit.
@Command(
        name = "init",
        description = "Makes a named cage: a policy and a cage.yaml to edit, in your configuration folder.",
        mixinStandardHelpOptions = true)
public final class InitCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "Its name: small letters, digits and '-'.")
    private String name = "";

    @Option(
            names = "--scaffold",
            paramLabel = "NAME",
            description = "The agent that lives in it; scaffold list has all.")
    private @Nullable String scaffold;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--workspace", paramLabel = "DIR", description = "The folder that it works in; this one.")
    private String workspace = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"-s", "--secret"},
            paramLabel = "NAME[=VAR]",
            description = "A stored secret that it is lent, as a decoy. May be given several times.")
    private List<String> secrets = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--publish",
            paramLabel = "PORT|HOST:CAGE",
            description = "A port of the cage that 127.0.0.1 answers for. May be given several times.")
    private List<String> publish = new ArrayList<>();

    public InitCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        var cages = NamedCages.of(folders);
        NamedCage.requireName(name);
        if (cages.has(name)) {
            throw new IllegalArgumentException(
                    "the cage " + name + " exists already (expected: another name, or cagewright edit " + name + ")");
        }
        var scaffolds = Scaffolds.of(folders);
        var cage = new NamedCage(
                name,
                folder(),
                Optional.ofNullable(scaffold),
                secrets.stream().map(SecretWish::parse).toList(),
                publish.stream()
                        .map(port -> PublishedPort.parse("--publish", port))
                        .toList());
        if (scaffold != null) {
            scaffolds.find(scaffold);
        }
        cages.create(cage, FirstPolicy.text(name, cage.scaffold(), scaffolds));
        tell(cages, scaffolds);
        return ExitCode.OK.code();
    }

    /// Without links, so that what the policy judges and what is mounted are one path.
    private Path folder() throws IOException {
        if (workspace.indexOf('\ufffd') >= 0) {
            throw new IllegalArgumentException("--workspace: \"" + workspace.replace("\ufffd", "\\u{fffd}")
                    + "\" is not UTF-8 (expected: a path in UTF-8; rename the directory)");
        }
        var real = Path.of(workspace).toRealPath();
        if (!Files.isDirectory(real)) {
            throw new NotDirectoryException(real + " (expected: a folder)");
        }
        return real;
    }

    private void tell(NamedCages cages, Scaffolds scaffolds) throws IOException, PolicySyntaxException {
        console.out().println(Visible.text(cages.folder(name).toString()));
        console.say("the cage " + name + " is made; cagewright edit " + name + " changes it, cagewright up " + name
                + " starts it");
        if (scaffold != null) {
            var agent = scaffolds.find(scaffold);
            if (Installation.of(agent.program(), CallerEnvironment.read()).isEmpty()) {
                console.say("there is no program \"" + agent.program() + "\" on your PATH yet"
                        + (agent.install().isEmpty() ? "" : ": " + agent.install()));
            }
        }
    }
}
