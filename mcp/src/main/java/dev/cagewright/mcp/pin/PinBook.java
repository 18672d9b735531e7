package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// What was accepted of all servers: a file each, for its owner alone, replaced whole. Safe for all threads and
/// processes: one changes it at a time.
public final class PinBook {
    private static final String END = ".json";
    private static final String LOCK = "lock";

    /// The most servers that are listed.
    private static final int MOST_SERVERS = 10_000;

    /// A lock of a file is the whole process's.
    private static final ReentrantLock HERE = new ReentrantLock();

    private final StateFolders folders;

    public PinBook(StateFolders folders) {
        this.folders = folders;
    }

    /// Those of a server that is started.
    ///
    /// @param server the name that the person gave it
    /// @param argv what is started
    public Pins of(String server, List<ByteString> argv, Pins.First first) {
        return new Pins(this, server, argv, first);
    }

    /// What the book has of a server; empty for one that it does not know.
    ///
    /// @throws IOException if its page cannot be read
    public Optional<List<Pin>> page(String server) throws IOException {
        return read(file(server)).map(PinPage::all);
    }

    /// All servers that it knows, by name.
    public List<String> servers() throws IOException {
        try (var files = Files.list(folders.pins())) {
            var pages = files.filter(file -> file.toString().endsWith(END))
                    .limit(MOST_SERVERS)
                    .toList();
            var names = new TreeSet<String>();
            for (Path page : pages) {
                read(page).map(PinPage::server).ifPresent(names::add);
            }
            return List.copyOf(names);
        }
    }

    /// Puts on record what a person does to the book.
    @FunctionalInterface
    public interface Ledger {
        /// Durable when it returns.
        void note(List<Pin> pins) throws IOException;
    }

    /// Accepts what is held of a server and wanted.
    ///
    /// @param ledger hears of it before anything is accepted, unless that is nothing
    /// @return what was accepted
    /// @throws IOException if it cannot be recorded; nothing was accepted then
    public List<Pin> accept(String server, Predicate<Pin> wanted, Ledger ledger) throws IOException {
        return change(server, page -> {
            var settled = page.all().stream()
                    .filter(Pin::isHeld)
                    .filter(wanted)
                    .map(Pin::settled)
                    .toList();
            if (!settled.isEmpty()) {
                ledger.note(settled);
            }
            settled.forEach(page::put);
            return settled;
        });
    }

    /// Forgets a server; its next list is its first.
    ///
    /// @param ledger hears of it before that, if it is known
    /// @return whether it was known
    /// @throws IOException if it cannot be recorded; nothing was forgotten then
    public boolean reset(String server, Ledger ledger) throws IOException {
        try (var _ = lock()) {
            if (!Files.exists(file(server), LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
            ledger.note(List.of());
            return Files.deleteIfExists(file(server));
        }
    }

    long version(String server) {
        try {
            return Files.getLastModifiedTime(file(server)).toMillis();
        } catch (IOException _) {
            return 0;
        }
    }

    /// What is done to one page.
    @FunctionalInterface
    interface Change<T> {
        T to(PinPage page) throws IOException;
    }

    <T> T change(String server, Change<T> change) throws IOException {
        try (var _ = lock()) {
            var file = file(server);
            var found = read(file);
            var page = found.isPresent() ? found.get() : new PinPage(server);
            var before = found.isPresent() ? page.bytes() : new byte[0];
            var made = change.to(page);
            var after = page.bytes();
            if (!Arrays.equals(before, after)) {
                OwnerFile.write(file, after);
            }
            return made;
        }
    }

    /// Names may hold anything.
    private Path file(String server) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(server.getBytes(StandardCharsets.UTF_8));
            return folders.pins().resolve(HexFormat.of().formatHex(digest, 0, 16) + END);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static Optional<PinPage> read(Path file) throws IOException {
        try {
            return Optional.of(PinPage.read(Json.parse(OwnerFile.read(file, PinPage.MOST_BYTES), PinPage.MOST_BYTES)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (JsonSyntaxException | IOException e) {
            throw new IOException(
                    new JsonString(file.toString()).brief() + " cannot be read (" + e.getMessage()
                            + "); cagewright mcp pin SERVER --reset begins anew",
                    e);
        }
    }

    private Lock lock() throws IOException {
        HERE.lock();
        try {
            var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            var channel = FileChannel.open(
                    folders.pins().resolve(LOCK), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), owner);
            try {
                var _ = channel.lock();
                return new Lock(channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            HERE.unlock();
            throw e;
        }
    }

    private record Lock(FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                HERE.unlock();
            }
        }
    }
}
