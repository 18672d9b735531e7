package dev.cagewright.supervisor.token;

import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.RevocationList;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.UnknownRevocationsException;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// The list of what is revoked under one key, as a file: the person's own in the state folder, or one that is named.
/// Every way of reading it ends in a list that is signed and not older than any seen before, or in a refusal. Safe for
/// all threads and processes.
public final class RevocationFile {
    private static final int MOST = RevocationList.LONGEST;

    private final Path file;
    private final Path lock;
    private final SeenList seen;
    private final TokenKey key;

    private RevocationFile(Path file, Path lock, SeenList seen, TokenKey key) {
        this.file = file;
        this.lock = lock;
        this.seen = seen;
        this.key = key;
    }

    /// The list of `key`.
    ///
    /// @param named another file than the one of the state folder
    /// @param key is used as long as this is, and not closed
    public static RevocationFile of(StateFolders folders, TokenKey key, Optional<Path> named, InstantSource clock)
            throws IOException {
        var folder = folders.tokens();
        return new RevocationFile(
                named.orElseGet(() -> folder.resolve(key.id() + ".revoked")).toAbsolutePath(),
                folder.resolve(key.id() + ".lock"),
                new SeenList(folder.resolve(key.id() + ".seen"), clock),
                key);
    }

    public Path path() {
        return file;
    }

    /// The list as it is now.
    ///
    /// @throws UnknownRevocationsException if it cannot be known what is revoked
    public RevocationList read() throws UnknownRevocationsException {
        try (var _ = TokenLock.take(lock)) {
            return current();
        } catch (IOException e) {
            throw new UnknownRevocationsException("what is revoked cannot be looked at: " + e.getMessage());
        }
    }

    private RevocationList current() throws UnknownRevocationsException {
        byte[] text;
        try {
            text = OwnerFile.read(file, MOST);
        } catch (NoSuchFileException _) {
            throw new UnknownRevocationsException("there is no list of what is revoked, " + file
                    + "; cagewright token revoke --begin --key-hex KEY begins one");
        } catch (IOException e) {
            throw new UnknownRevocationsException("the list of what is revoked cannot be read: " + e.getMessage());
        }
        try {
            var list = RevocationList.read(text, key);
            seen.note(list, text);
            return list;
        } catch (UnknownRevocationsException e) {
            throw new UnknownRevocationsException(
                    e.fault(), "the list of what is revoked, " + file + ", is refused: " + e.getMessage());
        }
    }

    /// Begins the list if this machine has never seen one of the key's; where it has, a missing one stays missing.
    ///
    /// @throws IOException if it cannot be written
    public void beginIfNew() throws IOException {
        try (var _ = TokenLock.take(lock)) {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) && seen.isEmpty()) {
                write(RevocationList.first(key));
            }
        } catch (UnknownRevocationsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Puts `rev` on the list, which is begun if there is none; durable when it returns.
    ///
    /// @return the list
    /// @throws IOException if there is a list that is refused, or it cannot be written; nothing was changed
    public RevocationList add(RevId rev) throws IOException {
        try (var _ = TokenLock.take(lock)) {
            boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS) && seen.isEmpty();
            var before = isNew ? RevocationList.first(key) : current();
            if (before.revoked().contains(rev) && !isNew) {
                return before;
            }
            var after = before.with(rev);
            write(after);
            return after;
        } catch (UnknownRevocationsException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void write(RevocationList list) throws IOException, UnknownRevocationsException {
        var text = list.write(key);
        if (text.length > MOST) {
            throw new IOException(file + ": the list is full (expected: at most " + MOST
                    + " bytes); make a new key and tokens of it");
        }
        OwnerFile.write(file, text);
        seen.note(list, text);
    }
}
