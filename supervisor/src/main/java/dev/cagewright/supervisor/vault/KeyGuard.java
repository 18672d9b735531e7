package dev.cagewright.supervisor.vault;

import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.store.StoreKey;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The key of a person's stores, as the file `key` beside them says that it is protected. Once there it is never made
/// anew:
/// what cannot be opened is refused, since another key opens nothing.
final class KeyGuard {
    private static final String ABOUT = "key";
    private static final int SALT = 16;
    private static final int SHORTEST = 8;

    private final Path file;
    private final Person person;
    private final SecureRandom random = new SecureRandom();

    KeyGuard(Path file, Person person) {
        this.file = file;
        this.person = person;
    }

    /// How the key is protected; empty where there is none yet.
    Optional<Protection> protection() throws IOException {
        return record().map(KeyRecord::protection);
    }

    /// The key; empty where there is none yet.
    ///
    /// @throws StoreException if it cannot be opened
    Optional<StoreKey> open() throws IOException {
        var record = record();
        return record.isEmpty() ? Optional.empty() : Optional.of(open(record.get()));
    }

    private Optional<KeyRecord> record() throws IOException {
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(KeyRecord.read(file, OwnerFile.read(file, KeyRecord.MOST)));
    }

    private StoreKey open(KeyRecord record) throws StoreException {
        StoreKey key;
        try {
            key = switch (record.protection()) {
                case SYSTEMD_CREDS -> SystemdCreds.open(record.data());
                case KEYRING -> DesktopKeyring.lookup(record.id());
                case PASSPHRASE -> underPassphrase(record);
                case FILE -> plain(record);
            };
        } catch (IOException | IllegalArgumentException e) {
            throw new StoreException(
                    "the key of your secrets, " + record.protection().sentence() + ", cannot be had: " + e.getMessage()
                            + " (nothing was changed; " + file + " says how it is protected)",
                    e);
        }
        if (!key.id().equals(record.id())) {
            key.close();
            throw new StoreException(
                    "the key of your secrets, " + record.protection().sentence() + ", is another one than " + file
                            + " names (bring that one back; nothing was changed)");
        }
        return key;
    }

    private StoreKey underPassphrase(KeyRecord record) throws IOException {
        var passphrase = person.passphrase("Passphrase of your secrets: ")
                .orElseThrow(() -> new IOException("nobody can be asked for the passphrase: run it on a terminal, or"
                        + " let CAGEWRIGHT_PASSPHRASE_FILE name a file that has it"));
        try (var outer = Passphrase.key(passphrase, record.saltBytes())) {
            return outer.unwrap(record.data(), ABOUT).orElseThrow(() -> new IOException("the passphrase is wrong"));
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private StoreKey plain(KeyRecord record) throws IOException {
        var open = EnumSet.copyOf(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
        open.removeAll(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
        if (!open.isEmpty()) {
            throw new IOException(file + " is open to others (expected: chmod 600 " + file
                    + "; if somebody may have read it, rotate the secrets at their vendors)");
        }
        return StoreKey.copyOf(record.data());
    }

    /// Makes the key, protected as wished; without a wish by the strongest of systemd-creds and keyring that works
    /// here,
    /// else in a file, which the person is told.
    ///
    /// @throws StoreException if the wish cannot be done; there is no key then
    StoreKey make(Optional<Protection> wish) throws IOException {
        var key = StoreKey.random(random);
        try {
            protect(key, wish);
            return key;
        } catch (IOException | RuntimeException e) {
            key.close();
            throw e;
        }
    }

    /// Protects `key` in the way that is wished, and in no other any more.
    void protect(StoreKey key, Optional<Protection> wish) throws IOException {
        var ways = wish.map(List::of).orElse(List.of(Protection.SYSTEMD_CREDS, Protection.KEYRING, Protection.FILE));
        for (Protection way : ways) {
            var record = under(way, key);
            if (record.isPresent()) {
                tell(way, wish);
                OwnerFile.write(file, record.get().write());
                return;
            }
        }
        throw new StoreException(
                "the key cannot be protected by " + ways.getFirst().word()
                        + ": it does not work here (expected: another of systemd-creds, keyring, passphrase, file)");
    }

    private void tell(Protection way, Optional<Protection> wish) {
        if (way != Protection.FILE) {
            person.tell("the key of your secrets is " + way.sentence());
        } else if (wish.isEmpty()) {
            person.tell("neither systemd-creds nor a desktop keyring works here: the key of your secrets is "
                    + way.sentence() + "; cagewright secret key --protect passphrase asks for a passphrase instead");
        } else {
            person.tell("the key of your secrets is " + way.sentence());
        }
    }

    /// A way that does not give the key back works no more than one that is not there.
    private Optional<KeyRecord> under(Protection way, StoreKey key) throws IOException {
        return switch (way) {
            case SYSTEMD_CREDS ->
                key.lend(SystemdCreds::seal)
                        .map(creds -> new KeyRecord(way, key.id(), "", creds))
                        .filter(this::givesBack);
            case KEYRING ->
                Optional.of(new KeyRecord(way, key.id(), "", new byte[0]))
                        .filter(record -> key.lend(bytes -> DesktopKeyring.store(record.id(), bytes)))
                        .filter(this::givesBack);
            case PASSPHRASE -> Optional.of(underNewPassphrase(key));
            case FILE -> Optional.of(new KeyRecord(way, key.id(), "", key.lend(byte[]::clone)));
        };
    }

    private boolean givesBack(KeyRecord record) {
        try (var _ = open(record)) {
            return true;
        } catch (StoreException _) {
            return false;
        }
    }

    private KeyRecord underNewPassphrase(StoreKey key) throws IOException {
        var first = asked("New passphrase for your secrets: ");
        var again = asked("The same again: ");
        try {
            if (first.length < SHORTEST) {
                throw new StoreException("the passphrase is too short (expected: " + SHORTEST + " bytes at least)");
            }
            if (!Arrays.equals(first, again)) {
                throw new StoreException("the two passphrases are not the same (try again; nothing was changed)");
            }
            var salt = new byte[SALT];
            random.nextBytes(salt);
            try (var outer = Passphrase.key(first, salt)) {
                return new KeyRecord(
                        Protection.PASSPHRASE, key.id(), HexFormat.of().formatHex(salt), outer.wrap(key, ABOUT));
            }
        } finally {
            Arrays.fill(first, (byte) 0);
            Arrays.fill(again, (byte) 0);
        }
    }

    private byte[] asked(String question) throws IOException {
        return person.passphrase(question)
                .orElseThrow(() -> new StoreException("nobody can be asked for a passphrase (run it on a terminal, or"
                        + " let CAGEWRIGHT_PASSPHRASE_FILE name a file that has it)"));
    }
}
