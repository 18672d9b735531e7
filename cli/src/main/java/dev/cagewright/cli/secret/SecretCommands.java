package dev.cagewright.cli.secret;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Protection;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright secret ...`: the commands that need no value but [SetCommand], [RotateCommand] and [ImportCommand].
@Command(
        name = "secret",
        description = "Stores secrets outside of every cage; a cage gets decoys.",
        mixinStandardHelpOptions = true)
public final class SecretCommands {
    private final Console console;
    private final StateFolders folders;

    public SecretCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// Those that are classes of their own.
    public List<Object> more() {
        return List.of(
                new SetCommand(console, folders),
                new RotateCommand(console, folders),
                new ImportCommand(console, folders));
    }

    private Person person() {
        return new TerminalPerson(console);
    }

    @Command(
            name = "list",
            description = "Lists names, bindings, age, last use and the number of versions; never a value.",
            mixinStandardHelpOptions = true)
    int list(@Option(names = "--json", description = "Print one JSON array.") boolean json) throws IOException {
        var all = new ArrayList<SecretText.Listed>();
        var opened = Vault.open(folders, person());
        if (opened.isPresent()) {
            try (var vault = opened.get()) {
                for (Scope scope : vault.scopes()) {
                    vault.store(scope).list().forEach(secret -> all.add(new SecretText.Listed(secret, scope)));
                }
            }
        }
        var now = Instant.now();
        if (json) {
            console.out()
                    .println(Json.of(all.stream()
                                    .map(one -> SecretText.json(one, now))
                                    .toList())
                            .write());
        } else {
            new SecretText(console).list(all, now);
        }
        return ExitCode.OK.code();
    }

    @Command(
            name = "rm",
            description = {
                "Removes secrets, every version of them. A session that holds one is refused its use from then on.",
                "With --earlier, removes only the versions before the one in use."
            },
            mixinStandardHelpOptions = true)
    int remove(
            @Parameters(paramLabel = "NAME", arity = "1..*") List<String> names,
            @Mixin ScopeOption scope,
            @Option(
                            names = "--home",
                            paramLabel = "HOME",
                            description = "The log-ins of that home, as cagewright secret list has it.")
                    @Nullable
                    String home,
            @Option(names = "--earlier", description = "Keep the value in use.") boolean earlier)
            throws IOException {
        return in(home == null ? scope.scope() : Scope.ofHome(home), store -> {
            for (String name : names) {
                if (earlier) {
                    console.say("removed " + store.removeEarlier(name) + " earlier versions of " + name);
                } else {
                    store.remove(name);
                    console.say("removed " + name);
                }
            }
        });
    }

    @Command(
            name = "bind",
            description = "Says where a stored secret may go when no policy does.",
            mixinStandardHelpOptions = true)
    int bind(@Parameters(paramLabel = "NAME") String name, @Mixin BindingOptions bindings, @Mixin ScopeOption scope)
            throws IOException {
        if (!bindings.areGiven()) {
            throw new IllegalArgumentException("nothing to bind it to (expected: --use-with, --in or --env)");
        }
        return in(scope, store -> {
            var secret = store.find(name).orElseThrow(() -> missing(name));
            var bound = store.bind(name, bindings.over(name, secret.binding()));
            console.say(
                    "bound " + name + " to " + String.join(", ", bound.binding().useWith()));
            new SecretText(console).boundNowhere(bound);
        });
    }

    @Command(
            name = "rotate-decoys",
            description = {
                "Makes every decoy worthless that a session has now: its use is refused from the next request on.",
                "Every session has decoys of its own anyway; this is for those that are running."
            },
            mixinStandardHelpOptions = true)
    int rotateDecoys(
            @Parameters(paramLabel = "NAME", arity = "0..*") @Nullable List<String> names, @Mixin ScopeOption scope)
            throws IOException {
        return in(scope, store -> {
            var chosen = names == null || names.isEmpty()
                    ? store.list().stream().map(Stored::name).toList()
                    : names;
            store.rotateDecoys(chosen);
            console.say("the decoys of " + (chosen.isEmpty() ? "nothing" : String.join(", ", chosen))
                    + " are worthless now");
        });
    }

    @Command(
            name = "key",
            description = "Says how the key of the stored secrets is protected, or protects it in another way.",
            mixinStandardHelpOptions = true)
    int key(
            @Option(
                            names = "--protect",
                            paramLabel = "WAY",
                            description = "systemd-creds, keyring, passphrase or file.")
                    @Nullable
                    String way)
            throws IOException {
        if (way == null) {
            var protection = Vault.protection(folders);
            console.out()
                    .println(protection
                            .map(is -> is.word() + ": the key of your secrets is " + is.sentence())
                            .orElse("none: there are no secrets yet"));
            return ExitCode.OK.code();
        }
        try (var vault = opened()) {
            vault.protect(person(), Protection.parse(way));
        }
        return ExitCode.OK.code();
    }

    /// Something done in a store.
    @FunctionalInterface
    private interface Deed {
        void in(SecretStore store) throws IOException;
    }

    private int in(ScopeOption scope, Deed deed) throws IOException {
        return in(scope.scope(), deed);
    }

    private int in(Scope scope, Deed deed) throws IOException {
        try (var vault = opened()) {
            deed.in(vault.store(scope));
        }
        return ExitCode.OK.code();
    }

    private Vault opened() throws IOException {
        return Vault.open(folders, person()).orElseThrow(SecretCommands::nothing);
    }

    private static StoreException nothing() {
        return new StoreException("no secrets are stored (cagewright secret set NAME --use-with HOST)");
    }

    static StoreException missing(String name) {
        return new StoreException("no secret " + name + " is stored (cagewright secret set " + name + " stores it)");
    }

    static Optional<Vault> ofPerson(StateFolders folders, Console console) throws IOException {
        return Vault.open(folders, new TerminalPerson(console));
    }
}
