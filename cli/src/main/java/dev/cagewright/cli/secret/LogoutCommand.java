package dev.cagewright.cli.secret;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright logout`: ends log-ins that clients in cages made. What a cage has of one is a decoy, worth nothing from
/// then on.
@Command(
        name = "logout",
        description = {
            "Ends log-ins that were made in cages: the tokens that are kept for them are removed, and a session that",
            "holds one is refused its use from then on. The vendor is not told; it may let you end them there, too."
        },
        mixinStandardHelpOptions = true)
public final class LogoutCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "The log-in, as cagewright secret list has it.")
    @SuppressWarnings("FieldCanBeFinal")
    private List<String> names = new ArrayList<>();

    @Option(names = "--home", paramLabel = "HOME", description = "Only in that home; in every one otherwise.")
    private @Nullable String home;

    @Option(names = "--all", description = "Every log-in.")
    @SuppressWarnings("FieldCanBeFinal")
    private boolean all;

    public LogoutCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (names.isEmpty() != all) {
            throw new IllegalArgumentException(
                    "nothing to end (expected: cagewright logout NAME, or --all; cagewright secret list shows them)");
        }
        int ended = 0;
        var opened = Vault.open(folders, new TerminalPerson(console));
        if (opened.isPresent()) {
            try (var vault = opened.get()) {
                for (Scope scope : vault.scopes()) {
                    ended += isMeant(scope) ? end(vault, scope) : 0;
                }
            }
        }
        if (ended == 0) {
            throw new StoreException("no such log-in is kept (cagewright secret list shows those that are)");
        }
        return ExitCode.OK.code();
    }

    private boolean isMeant(Scope scope) {
        return scope.home().isPresent() && (home == null || scope.home().get().equals(home));
    }

    private int end(Vault vault, Scope scope) throws IOException {
        int ended = 0;
        var store = vault.store(scope);
        for (var kept : store.list()) {
            if (all || names.contains(kept.name())) {
                store.remove(kept.name());
                console.say("logged out " + kept.name() + " in " + scope.words());
                ended++;
            }
        }
        return ended;
    }
}
