package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.backup.CageRestore;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright restore FILE`: a named cage out of a backup.
@Command(
        name = "restore",
        description = "Makes a named cage of a backup; overwrites nothing, runs nothing.",
        mixinStandardHelpOptions = true)
public final class RestoreCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "FILE", description = "A backup.")
    private Path file = Path.of("");

    @Option(names = "--as", paramLabel = "NAME", description = "Another name than it had.")
    private @Nullable String name;

    @Option(names = "--workspace", paramLabel = "DIR", description = "Another workspace than it had.")
    private @Nullable Path workspace;

    public RestoreCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        var person = new TerminalPerson(console);
        try (var restore = CageRestore.open(NamedCages.of(folders), file)) {
            var called = NamedCage.requireName(name == null ? restore.cage() : name);
            var there = workspace == null ? Optional.<Path>empty() : Optional.of(workspace.toRealPath());
            var secrets = restore.hasSecrets() ? secrets(restore, person) : List.<SecretStore.Opened>of();
            try {
                var cage = restore.as(called, there);
                if (!secrets.isEmpty()) {
                    new CarriedByPassphrase(folders, person).store(called, secrets);
                }
                tell(cage, secrets.size());
            } finally {
                secrets.forEach(one -> one.value().close());
            }
            return ExitCode.OK.code();
        }
    }

    private List<SecretStore.Opened> secrets(CageRestore restore, TerminalPerson person) throws IOException {
        var passphrase = person.passphrase("the passphrase of the secrets in the backup: ");
        if (passphrase.isEmpty()) {
            console.say("its secrets stay in the backup, for there is nobody to ask for their passphrase");
            return List.of();
        }
        try {
            return restore.secrets(passphrase.get());
        } finally {
            Arrays.fill(passphrase.get(), (byte) 0);
        }
    }

    private void tell(NamedCage cage, int secrets) {
        console.say("the cage " + cage.name() + " is back"
                + (secrets == 0 ? "" : ", with " + secrets + " secrets that are its alone"));
        if (!Files.isDirectory(cage.workspace())) {
            console.say("its workspace, " + Visible.text(cage.workspace().toString())
                    + ", is not on this machine: cagewright edit " + cage.name() + " --cage");
        }
        console.say("look at its policy before you start it: cagewright edit " + cage.name() + ", cagewright verify "
                + cage.name());
    }
}
