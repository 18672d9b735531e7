package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.OwnerFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The grants of one session, as files that their owner alone can read: `ID.grant`; and what other commands want of
/// it: `NAME.order`, which the session takes once, and `NAME.done`, its answer. Safe for all threads and processes.
final class GrantFolder {
    private static final String GRANT = ".grant";
    private static final String ORDER = ".order";
    private static final String TAKEN = ".taken";
    private static final String DONE = ".done";

    private final Path folder;

    private GrantFolder(Path folder) {
        this.folder = folder;
    }

    /// Creates it, 0700, where it is not there.
    ///
    /// @param session the session's own folder
    static GrantFolder create(Path session) throws IOException {
        var folder = at(session);
        OwnerFolder.make(folder);
        return new GrantFolder(folder);
    }

    /// As it is; asking what is in one that is not there finds nothing.
    static GrantFolder of(Path session) {
        return new GrantFolder(at(session));
    }

    private static Path at(Path session) {
        return session.resolve("grants");
    }

    Path path() {
        return folder;
    }

    void put(GrantRecord record) throws IOException {
        OwnerFile.write(
                folder.resolve(record.grant().id() + GRANT), record.toJson().bytes());
    }

    /// @throws IOException if there is one that cannot be read whole
    Optional<GrantRecord> find(DecisionId id) throws IOException {
        try {
            return Optional.of(GrantRecord.parse(OwnerFile.read(folder.resolve(id + GRANT), GrantRecord.MOST)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    void forget(DecisionId id) throws IOException {
        Files.deleteIfExists(folder.resolve(id + GRANT));
    }

    /// All, the oldest first.
    ///
    /// @throws IOException if one cannot be read whole
    List<GrantRecord> all() throws IOException {
        var found = new ArrayList<GrantRecord>();
        for (Path file : files(GRANT)) {
            found.add(GrantRecord.parse(OwnerFile.read(file, GrantRecord.MOST)));
        }
        found.sort(Comparator.comparing(GrantRecord::since));
        return found;
    }

    private List<Path> files(String ending) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ending)) {
            var all = new ArrayList<Path>();
            files.forEach(all::add);
            return all;
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    // what other commands want

    /// Puts an order for the session to take.
    void order(String name, byte[] order) throws IOException {
        OwnerFile.write(folder.resolve(name + ORDER), order);
    }

    /// Takes an order back.
    ///
    /// @return false if the session has taken it
    boolean withdraw(String name) throws IOException {
        return Files.deleteIfExists(folder.resolve(name + ORDER));
    }

    /// The answer to an order, once.
    Optional<byte[]> answer(String name) throws IOException {
        var file = folder.resolve(name + DONE);
        try {
            var bytes = OwnerFile.read(file, GrantRecord.MOST);
            Files.deleteIfExists(file);
            return Optional.of(bytes);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// The names of the orders that wait, in no order.
    List<String> orders() throws IOException {
        return files(ORDER).stream()
                .map(file -> file.getFileName().toString())
                .map(name -> name.substring(0, name.length() - ORDER.length()))
                .toList();
    }

    /// Takes an order, so that nobody takes it back.
    ///
    /// @return empty if somebody has
    Optional<byte[]> take(String name) throws IOException {
        var taken = folder.resolve(name + TAKEN);
        try {
            Files.move(folder.resolve(name + ORDER), taken, StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(OwnerFile.read(taken, GrantRecord.MOST));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    void done(String name, byte[] answer) throws IOException {
        OwnerFile.write(folder.resolve(name + DONE), answer);
        Files.deleteIfExists(folder.resolve(name + TAKEN));
    }
}
