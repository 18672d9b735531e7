package dev.cagewright.cli.secret;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.Binding;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Protection;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright secret set NAME`.
@Command(
        name = "set",
        description = {
            "Stores a secret, from a prompt, standard input, a file or a command; never from the command line.",
            "An earlier value of that name is kept until secret rm --earlier drops it."
        },
        mixinStandardHelpOptions = true)
final class SetCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "NAME", description = "What policies and run -s call it.")
    private String name = "";

    @Mixin
    private final ValueOptions source = new ValueOptions();

    @Mixin
    private final BindingOptions bindings = new BindingOptions();

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    @Option(
            names = "--protect",
            paramLabel = "WAY",
            description = "How the key of the first secret is protected: systemd-creds, keyring, passphrase or file;"
                    + " the first of them that works here but for passphrase, which somebody has to choose.")
    private @Nullable String way;

    SetCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        source.requireOne();
        Stored.requireName(name);
        var person = new TerminalPerson(console);
        var wish = Optional.ofNullable(way).map(Protection::parse);
        try (var value = source.value(name, person);
                var vault = Vault.openOrMake(folders, person, wish)) {
            var store = vault.store(scope.scope());
            var before = store.find(name);
            var binding = bindings.over(name, before.map(Stored::binding).orElse(Binding.NOWHERE));
            var stored = store.put(name, value, terms(source));
            if (bindings.areGiven()) {
                stored = store.bind(name, binding);
            }
            new SecretText(console).stored(stored, scope.scope());
        }
        return ExitCode.OK.code();
    }

    static SecretStore.Terms terms(ValueOptions source) {
        return new SecretStore.Terms(
                source.refresh(), source.lasts().map(Instant.now()::plus), SecretStore.Earlier.KEPT);
    }
}
