package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFile;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/// A configuration file of git's on the host, changed as git changes it: under its lock, and by one rename. What is
/// written is made where no cage reaches it, if that is the same file system; else it gets its place by an exchange,
/// and leaves it again if it is not what was made. For one thread; closes neither folder.
///
/// @param folder where the file stands
/// @param spare a folder that no cage has
/// @param most bytes; larger ones are none of git's making
record ConfigFile(HostFolder folder, ByteString name, HostFolder spare, int most) {
    private static final int LOCK_TRIES = 50;
    private static final long LOCK_PAUSE_MILLIS = 100;
    private static final int TRIES = 5;
    private static final int NEW_FILE = 0644;

    /// The bytes of the regular file `name` in `folder` as chars; empty if nothing stands there.
    ///
    /// @throws IOException if something else stands there, or it is larger than `most`
    static Optional<String> read(HostFolder folder, ByteString name, int most) throws IOException {
        if (folder.look(name).isEmpty()) {
            return Optional.empty();
        }
        try (var file = folder.read(name)) {
            var bytes = file.head(most + 1);
            if (bytes.length > most) {
                throw new IOException(name + ": more than " + most + " bytes (expected: a file of git's)");
            }
            return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    /// Puts what `change` makes of the present text in its place; nothing if it makes nothing of it.
    ///
    /// @throws IOException if it cannot be done; the file is as it was then
    void change(Function<String, Optional<String>> change) throws IOException {
        var lock = ByteString.of(name.utf8().orElseThrow() + ".lock");
        lock(lock);
        try {
            for (int attempt = 1; !isChanged(change); attempt++) {
                if (attempt == TRIES) {
                    throw new IOException(name + ": somebody else changes it again and again");
                }
            }
        } finally {
            folder.remove(lock);
        }
        folder.flush();
    }

    private void lock(ByteString lock) throws IOException {
        for (int attempt = 1; attempt <= LOCK_TRIES; attempt++) {
            var made = folder.createWhereNothingIs(lock);
            if (made.isPresent()) {
                made.get().close();
                return;
            }
            pause();
        }
        throw new IOException(lock + " stands there: a git is at work, or one was killed and left it");
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(LOCK_PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another git had the lock");
        }
    }

    private boolean isChanged(Function<String, Optional<String>> change) throws IOException {
        var before = folder.look(name);
        var text = change.apply(read(folder, name, most).orElse(""));
        return text.isEmpty() || isPlaced(text.get(), before);
    }

    private boolean isPlaced(String text, Optional<HostEntry> before) throws IOException {
        var fresh = ByteString.of(".cagewright-" + HexFormat.of().formatHex(random()));
        var made = write(spare, fresh, text, before);
        try {
            if (!isStill(before)) {
                return false;
            }
            if (spare.replaceIn(fresh, folder, name) == HostFolder.Move.DONE) {
                return true;
            }
        } finally {
            if (spare.look(fresh).isPresent()) {
                spare.remove(fresh);
            }
        }
        return isExchanged(fresh, text, before) && made.isFile();
    }

    private boolean isStill(Optional<HostEntry> before) throws IOException {
        var now = folder.look(name);
        return before.isPresent() ? now.filter(before.get()::isStill).isPresent() : now.isEmpty();
    }

    private boolean isExchanged(ByteString fresh, String text, Optional<HostEntry> before) throws IOException {
        var made = write(folder, fresh, text, before);
        try {
            if (!isStill(before)) {
                return false;
            }
            var move = before.isPresent() ? folder.exchange(fresh, name) : folder.moveTo(fresh, folder, name);
            boolean isOurs = folder.look(name)
                    .filter(now -> now.identity().equals(made.identity()) && now.size() == made.size())
                    .isPresent();
            if (move == HostFolder.Move.DONE && !isOurs) {
                undo(fresh, before);
                throw new IOException(name + ": somebody put another file in its place");
            }
            if (move == HostFolder.Move.UNSUPPORTED) {
                return folder.replace(fresh, name) == HostFolder.Move.DONE;
            }
            return move == HostFolder.Move.DONE;
        } finally {
            if (folder.look(fresh).isPresent()) {
                folder.remove(fresh);
            }
        }
    }

    private void undo(ByteString fresh, Optional<HostEntry> before) throws IOException {
        if (before.isPresent()) {
            folder.exchange(fresh, name);
        } else {
            folder.remove(name);
        }
    }

    private static HostEntry write(HostFolder folder, ByteString fresh, String text, Optional<HostEntry> like)
            throws IOException {
        try (HostFile file = folder.create(fresh)) {
            file.append(text.getBytes(StandardCharsets.ISO_8859_1));
            file.dress(like.map(HostEntry::permissions).orElse(NEW_FILE) & 0777, now());
            var owner = like.map(HostEntry::identity).orElse(folder.self().identity());
            var made = file.look();
            if (made.identity().owner() != owner.owner() || made.identity().group() != owner.group()) {
                giveIfAllowed(file, owner);
            }
            file.flush();
            return file.look();
        }
    }

    /// Only root may; who else makes a file owns it.
    private static void giveIfAllowed(HostFile file, HostEntry.Identity owner) {
        try {
            file.give(owner);
        } catch (IOException _) {
            return;
        }
    }

    private static Instant now() {
        return InstantSource.system().instant();
    }

    private static byte[] random() {
        var bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
