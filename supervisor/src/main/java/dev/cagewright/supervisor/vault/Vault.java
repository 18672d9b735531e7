package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.store.StoreKey;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The person's stores, open: holds their key. Whoever opens it closes it. Safe for all threads.
public final class Vault implements AutoCloseable {
    private static final String KEY = "key";

    private final Path folder;
    private final StoreKey key;
    private final InstantSource clock;

    private Vault(Path folder, StoreKey key, InstantSource clock) {
        this.folder = folder;
        this.key = key;
        this.clock = clock;
    }

    /// Opens what is there.
    ///
    /// @return empty where nothing was ever stored
    /// @throws StoreException if it cannot be opened
    public static Optional<Vault> open(StateFolders folders, Person person) throws IOException {
        var folder = folders.state().resolve("secrets");
        if (Files.notExists(folder.resolve(KEY), LinkOption.NOFOLLOW_LINKS)) {
            requireNoOrphans(folder);
            return Optional.empty();
        }
        CoreDumps.leaveMemoryOut();
        var key = new KeyGuard(folders.secrets().resolve(KEY), person).open();
        return key.map(opened -> new Vault(folder, opened, InstantSource.system()));
    }

    /// Stores whose key is gone are not to be joined by others under a new one.
    private static void requireNoOrphans(Path folder) throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (var files = Files.newDirectoryStream(folder, "*.secrets")) {
                for (Path orphan : files) {
                    throw new StoreException(orphan + ": its key, " + folder.resolve(KEY)
                            + ", is gone (bring that file back, or move the stores away; nothing was changed)");
                }
            }
        }
    }

    /// Does a scope have a store? Asks nobody.
    public static boolean has(StateFolders folders, Scope scope) {
        return Files.exists(folders.state().resolve("secrets").resolve(scope.file()), LinkOption.NOFOLLOW_LINKS);
    }

    /// Removes the store of a scope with all that is in it, where there is one; its key is not needed for that.
    public static void forget(StateFolders folders, Scope scope) throws IOException {
        if (has(folders, scope)) {
            var store = folders.secrets().resolve(scope.file());
            Files.delete(store);
            OwnerFile.flushName(store);
        }
    }

    /// Opens what is there, and makes the key where nothing is.
    ///
    /// @param wish how a new key is protected; the strongest way that works here if empty
    public static Vault openOrMake(StateFolders folders, Person person, Optional<Protection> wish) throws IOException {
        var there = open(folders, person);
        if (there.isPresent()) {
            return there.get();
        }
        CoreDumps.leaveMemoryOut();
        var folder = folders.secrets();
        var key = new KeyGuard(folder.resolve(KEY), person).make(wish);
        return new Vault(folder, key, InstantSource.system());
    }

    /// How the key is protected; empty where there is none. Asks nobody.
    public static Optional<Protection> protection(StateFolders folders) throws IOException {
        return new KeyGuard(folders.state().resolve("secrets").resolve(KEY), Person.NOBODY).protection();
    }

    /// Protects the key in another way.
    public void protect(Person person, Protection wish) throws IOException {
        new KeyGuard(folder.resolve(KEY), person).protect(key, Optional.of(wish));
    }

    /// The store of a scope, whether anything is in it or not.
    public SecretStore store(Scope scope) {
        return new SecretStore(folder.resolve(scope.file()), scope.words(), key, clock);
    }

    /// Those that have a store, every cage's first, then by name.
    public List<Scope> scopes() throws IOException {
        var scopes = new ArrayList<Scope>();
        try (var files = Files.newDirectoryStream(folder, "*.secrets")) {
            for (Path file : files) {
                Scope.ofFile(file.getFileName().toString()).ifPresent(scopes::add);
            }
        }
        scopes.sort(Comparator.comparing(
                Scope::file,
                Comparator.comparing((String file) -> !file.equals("user.secrets"))
                        .thenComparing(Comparator.naturalOrder())));
        return scopes;
    }

    /// Wipes the key.
    @Override
    public void close() {
        key.close();
    }
}
