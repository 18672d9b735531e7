package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.backup.CageBackup;
import dev.cagewright.supervisor.named.CageSession;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright backup NAME -o FILE`: a named cage as one file.
@Command(
        name = "backup",
        description = "Writes a named cage into one file: its policy, cage.yaml and home, and no secret unless asked.",
        mixinStandardHelpOptions = true)
public final class BackupCommand implements Callable<Integer> {
    private static final int MOST_TOLD = 10;

    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"-o", "--out"},
            required = true,
            paramLabel = "FILE",
            description = "A new file; 0600.")
    private Path file = Path.of("");

    @Option(names = "--with-secrets", description = "Its secrets, too, sealed under a passphrase that is asked for.")
    private boolean withSecrets;

    public BackupCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException {
        var cages = NamedCages.of(folders);
        var cage = cages.find(name);
        if (CageSession.isUp(cages, name)) {
            throw new IllegalArgumentException("the cage " + name + " is up, and its home changes (expected: cagewright"
                    + " stop " + name + " before)");
        }
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException(file + ": exists already (expected: a new file)");
        }
        var person = new TerminalPerson(console);
        var sealed = withSecrets
                ? Optional.of(new CarriedByPassphrase(folders, person).seal(cage))
                : Optional.<CarriedByPassphrase.Sealed>empty();
        var written = CageBackup.write(cages, name, file, sealed.map(CarriedByPassphrase.Sealed::secrets));
        written.left().stream().limit(MOST_TOLD).forEach(line -> console.say("left out: " + Visible.text(line)));
        if (written.left().size() > MOST_TOLD) {
            console.say("left out: " + (written.left().size() - MOST_TOLD) + " more");
        }
        console.say(Visible.text(file.toString()) + ": " + written.entries() + " files and folders of the home, "
                + Sizes.text(written.bytes()) + ", "
                + sealed.map(one -> one.count() + " secrets, sealed").orElse("no secrets"));
        return ExitCode.OK.code();
    }
}
