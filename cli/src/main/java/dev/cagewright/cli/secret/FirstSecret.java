package dev.cagewright.cli.secret;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.secrets.store.Binding;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Asks for a secret that somebody needs now and that is not stored yet, and stores it for every cage.
public final class FirstSecret {
    private final Console console;
    private final StateFolders folders;

    public FirstSecret(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// Is there somebody who can be asked?
    public static boolean canAsk() {
        return Terminal.at(0).isPresent();
    }

    /// Asks, and stores what is typed.
    ///
    /// @param useWith the hosts that it may go to
    public void ask(String name, List<String> useWith) throws IOException {
        console.say(name + " is not stored yet; it will go to " + String.join(", ", useWith) + " and nowhere else");
        var person = new TerminalPerson(console);
        try (var value = ValueOptions.typed(name, person);
                var vault = Vault.openOrMake(folders, person, Optional.empty())) {
            var store = vault.store(Scope.USER);
            store.put(name, value, new SecretStore.Terms(Optional.empty(), Optional.empty(), SecretStore.Earlier.KEPT));
            var bound = store.bind(name, new Binding(useWith, List.of(), Optional.empty(), List.of()));
            new SecretText(console).stored(bound, Scope.USER);
        }
    }
}
