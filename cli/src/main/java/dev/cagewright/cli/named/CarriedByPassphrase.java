package dev.cagewright.cli.named;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.supervisor.backup.CageBackup;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.CarriedSecrets;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A cage's secrets on their way into a backup and out of one: those that are its alone, and those of every cage that
/// its `cage.yaml` names.
///
/// @param person is asked for the passphrase
record CarriedByPassphrase(StateFolders folders, Person person) {
    /// How many there are, sealed.
    record Sealed(int count, CageBackup.SealedSecrets secrets) {}

    /// Seals them under a passphrase that is asked for twice.
    ///
    /// @throws IllegalArgumentException if nobody can be asked, or what is typed differs
    Sealed seal(NamedCage cage) throws IOException {
        var found = found(cage);
        try {
            var passphrase = asked("a passphrase for the secrets in the backup: ");
            var again = asked("the same once more: ");
            try {
                if (passphrase.length == 0 || !Arrays.equals(passphrase, again)) {
                    throw new IllegalArgumentException(
                            "the passphrases are empty or differ (expected: the same twice)");
                }
                return new Sealed(found.size(), sealed(found, passphrase));
            } finally {
                Arrays.fill(passphrase, (byte) 0);
                Arrays.fill(again, (byte) 0);
            }
        } finally {
            found.forEach(one -> one.value().close());
        }
    }

    private byte[] asked(String question) throws IOException {
        return person.passphrase(question)
                .orElseThrow(() -> new IllegalArgumentException("there is nobody to ask for a passphrase (expected: a"
                        + " terminal, or CAGEWRIGHT_PASSPHRASE_FILE)"));
    }

    private List<SecretStore.Opened> found(NamedCage cage) throws IOException {
        var found = new ArrayList<SecretStore.Opened>();
        var vault = Vault.open(folders, person);
        if (vault.isEmpty()) {
            return found;
        }
        try (var open = vault.get()) {
            found.addAll(open.store(Scope.of(new CageName(cage.name()))).openAll());
            var every = open.store(Scope.USER).view();
            for (SecretWish wish : cage.secrets()) {
                if (found.stream().noneMatch(one -> one.secret().name().equals(wish.name()))) {
                    every.open(wish.name()).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    private static CageBackup.SealedSecrets sealed(List<SecretStore.Opened> found, byte[] passphrase)
            throws IOException {
        var folder = Files.createTempDirectory("cagewright-backup-"); // 0700
        var file = folder.resolve("carried.secrets");
        var salt = CarriedSecrets.salt();
        try (var carried = CarriedSecrets.at(file, passphrase, salt)) {
            for (SecretStore.Opened one : found) {
                carried.store().put(one.secret().name(), one.value(), SecretStore.Terms.USUAL);
                carried.store().bind(one.secret().name(), one.secret().binding());
            }
            return new CageBackup.SealedSecrets(
                    ByteString.copyOf(salt),
                    Files.exists(file) ? ByteString.copyOf(Files.readAllBytes(file)) : ByteString.of(""));
        } finally {
            try (var files = Files.list(folder)) {
                for (var left : files.toList()) {
                    Files.deleteIfExists(left);
                }
            }
            Files.deleteIfExists(folder);
        }
    }

    /// Stores them as the cage's alone.
    ///
    /// @param secrets closed afterwards
    void store(String cage, List<SecretStore.Opened> secrets) throws IOException {
        try (var vault = Vault.openOrMake(folders, person, Optional.empty())) {
            var store = vault.store(Scope.of(new CageName(cage)));
            for (SecretStore.Opened one : secrets) {
                store.put(one.secret().name(), one.value(), SecretStore.Terms.USUAL);
                store.bind(one.secret().name(), one.secret().binding());
            }
        } finally {
            secrets.forEach(one -> one.value().close());
        }
    }
}
