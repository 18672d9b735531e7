package dev.cagewright.audit.seal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `<log>.seal`: two places, of which one holds the [SealState] and the other zeros. A new state is written to the
/// free place and flushed before the old one is overwritten, in place, and flushed again: whatever kills the writer,
/// one
/// whole state is there, and no key before it once this returned. Writers hold the log's lock.
public final class SealFile {
    private static final int PLACE = 64 << 10;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.complementOf(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));

    private final Path path;
    private final Opener opener;

    /// How the file is opened.
    @FunctionalInterface
    public interface Opener {
        FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException;
    }

    /// The state of `log`, opened by the kernel.
    public static SealFile of(Path log) {
        return new SealFile(log, FileChannel::open);
    }

    /// The state of `log`.
    public SealFile(Path log, Opener opener) {
        this.path = log.resolveSibling(log.getFileName() + ".seal");
        this.opener = opener;
    }

    public Path path() {
        return path;
    }

    public boolean exists() {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /// Makes the file, for its owner alone, or takes over one that holds nothing of use. Its name is durable only when
    /// its folder was flushed.
    public void create(SealState state) throws IOException {
        if (!exists()) {
            var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            FileChannel.open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), mode)
                    .close();
        }
        try (var file = open()) {
            write(file, 0, state);
            zeros(file, PLACE);
            file.force(true);
        }
    }

    /// Reads the state.
    ///
    /// @throws IOException if the file is missing, open to others, or holds no whole state
    public SealState load() throws IOException {
        try (var file = open(StandardOpenOption.READ)) {
            return newest(file, new SealState[2]);
        }
    }

    /// Reads the state wherever it lies and whoever may read it: for a verifier, who has a copy.
    ///
    /// @throws IOException if the file is missing or holds no whole state
    public SealState peek() throws IOException {
        try (var file = opener.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return newest(file, new SealState[2]);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no seal state at " + path, e);
        }
    }

    /// Puts `next` into the place of the state that is there; its key is gone when this returns.
    ///
    /// @throws IOException if that may not survive a crash; then either state may be there
    public void replace(SealState next) throws IOException {
        try (var file = open()) {
            var found = new SealState[2];
            newest(file, found).close();
            int used = found[0] == null ? PLACE : 0;
            write(file, PLACE - used, next);
            file.force(false);
            zeros(file, used);
            file.force(false);
        }
    }

    /// The state that counts; it alone stays in `found`.
    private SealState newest(FileChannel file, @Nullable SealState[] found) throws IOException {
        found[0] = readOrNull(file, 0);
        found[1] = readOrNull(file, PLACE);
        int best = found[1] != null && (found[0] == null || found[1].serial() > found[0].serial()) ? 1 : 0;
        var other = found[1 - best];
        if (other != null) {
            other.close();
            found[1 - best] = null;
        }
        var state = found[best];
        if (state == null) {
            throw new IOException("the seal state " + path + " cannot be read: it was cut or changed");
        }
        return state;
    }

    private static @Nullable SealState readOrNull(FileChannel file, long at) throws IOException {
        var buffer = ByteBuffer.allocateDirect(PLACE);
        var place = new byte[PLACE];
        try {
            while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) > 0) {}
            buffer.get(0, place);
            return SealState.readOrNull(place);
        } finally {
            Arrays.fill(place, (byte) 0);
            buffer.put(0, place);
        }
    }

    private static void write(FileChannel file, long at, SealState state) throws IOException {
        var place = new byte[PLACE];
        var buffer = ByteBuffer.allocateDirect(PLACE);
        try {
            state.write(place);
            buffer.put(0, place);
            writeAll(file, buffer, at);
        } finally {
            Arrays.fill(place, (byte) 0);
            buffer.put(0, place);
        }
    }

    private static void zeros(FileChannel file, long at) throws IOException {
        writeAll(file, ByteBuffer.allocateDirect(PLACE), at);
    }

    private static void writeAll(FileChannel file, ByteBuffer buffer, long at) throws IOException {
        while (buffer.hasRemaining()) {
            file.write(buffer, at + buffer.position());
        }
    }

    private FileChannel open(OpenOption... more) throws IOException {
        try {
            var mode = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
            if (mode.stream().anyMatch(OTHERS::contains)) {
                throw new IOException(
                        "the seal state " + path + " is open to others (" + PosixFilePermissions.toString(mode)
                                + "): the log's next lines prove nothing if they read it");
            }
            Set<OpenOption> options = more.length > 0
                    ? Set.of(more[0], LinkOption.NOFOLLOW_LINKS)
                    : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            return opener.open(path, options);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "the seal state " + path + " is missing: put it back, or move the log away and begin another", e);
        }
    }
}
