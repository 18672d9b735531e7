package dev.cagewright.cli.secret;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.Refresh;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.RawValue;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `cagewright secret rotate NAME`.
@Command(
        name = "rotate",
        description = {
            "Gives a stored secret another value; running sessions use it from their next request on.",
            "A secret that comes from a command is asked for again. The value before is kept until secret rm --earlier."
        },
        mixinStandardHelpOptions = true)
final class RotateCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "NAME", description = "A stored secret.")
    private String name = "";

    @Mixin
    private final ValueOptions source = new ValueOptions();

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    RotateCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        source.requireOne();
        Stored.requireName(name);
        var person = new TerminalPerson(console);
        try (var vault = SecretCommands.ofPerson(folders, console).orElseThrow(() -> SecretCommands.missing(name))) {
            var store = vault.store(scope.scope());
            var before = store.find(name).orElseThrow(() -> SecretCommands.missing(name));
            var refresh = source.isGiven() ? source.refresh() : before.refresh();
            var lasts = source.lasts().or(() -> refresh.flatMap(again -> again.lasts()));
            var terms = new SecretStore.Terms(refresh, lasts.map(Instant.now()::plus), SecretStore.Earlier.KEPT);
            try (var value = value(before, person)) {
                var stored = store.put(name, value, terms);
                console.say("rotated " + name + "; the value before it is kept ("
                        + stored.versions().size() + " versions)");
            }
        }
        return ExitCode.OK.code();
    }

    private SecretValue value(Stored before, TerminalPerson person) throws IOException {
        var again = source.isGiven() ? Optional.<Refresh>empty() : before.refresh();
        return again.isPresent() ? RawValue.of(again.get()) : source.value(name, person);
    }
}
