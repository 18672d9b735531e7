package dev.cagewright.supervisor.login;

import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// The store of one home's log-ins, which is made with the first of them. Safe for all threads.
final class LoginStore implements AutoCloseable {
    private final StateFolders folders;
    private final Scope home;
    private Optional<SecretStore> store;
    private Optional<Vault> own = Optional.empty();

    /// @param vault the person's, where it is open; stays the caller's
    LoginStore(StateFolders folders, Scope home, Optional<Vault> vault) {
        this.folders = folders;
        this.home = home;
        this.store = vault.map(open -> open.store(home));
    }

    /// Where it is, whether it is there or not.
    Path path() {
        return folders.state().resolve("secrets").resolve(home.file());
    }

    /// The store; empty where nothing was ever stored in it.
    synchronized Optional<SecretStore> found() throws IOException {
        if (Files.notExists(path(), LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(opened());
    }

    /// The store, made where it is absent. Nobody is asked: a client in the cage is in the middle of its log-in.
    synchronized SecretStore opened() throws IOException {
        if (store.isEmpty()) {
            own = Optional.of(Vault.openOrMake(folders, Person.NOBODY, Optional.empty()));
            store = own.map(open -> open.store(home));
        }
        return store.orElseThrow();
    }

    @Override
    public synchronized void close() {
        own.ifPresent(Vault::close);
    }
}
