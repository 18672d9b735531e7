package dev.cagewright.cli.secret;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `cagewright secret import FILE`.
@Command(
        name = "import",
        description = {
            "Stores every NAME=VALUE of a .env file; the file stays as it is.",
            "A file with a line that is none, or a value that cannot be stored, is refused as a whole."
        },
        mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "FILE", description = "Lines of NAME=VALUE.")
    private Path file = Path.of("");

    @Mixin
    private final BindingOptions bindings = new BindingOptions();

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    ImportCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        try (var read = EnvFile.read(file);
                var vault = Vault.openOrMake(folders, new TerminalPerson(console), Optional.empty())) {
            var store = vault.store(scope.scope());
            for (var entry : read.entries()) {
                var stored = store.put(entry.name(), entry.value(), SecretStore.Terms.USUAL);
                if (bindings.areGiven()) {
                    stored = store.bind(entry.name(), bindings.over(entry.name(), stored.binding()));
                }
                new SecretText(console).stored(stored, scope.scope());
            }
            read.empty().forEach(name -> console.say("left out " + name + ": it has no value"));
        }
        console.say(file + " stays where it is: move it out of the reach of cages, or remove it");
        return ExitCode.OK.code();
    }
}
