package dev.cagewright.supervisor.named;

import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The folders of sessions that are over and that nobody needs any more. What they did stays in the audit log. A
/// session that lives, that holds changes nobody has decided about, or that is a named cage's last, is none of them.
///
/// @param folders the person's
/// @param keep as many of the newest stay, whatever their age
/// @param age older ones go; from their end
/// @param now the present
public record DeadSessions(StateFolders folders, int keep, Duration age, Instant now) {
    /// A folder without a record is of a session that is about to begin, or of one that never did.
    private static final Duration BEGINNING = Duration.ofHours(1);

    /// One that can go.
    ///
    /// @param folder of it
    public record Dead(SessionId id, Litter folder) {}

    /// What there is: those that can go, oldest first, and those that only held changes keep.
    public record Found(List<Dead> dead, List<SessionId> holding) {
        public Found {
            dead = List.copyOf(dead);
            holding = List.copyOf(holding);
        }
    }

    /// Looks for them.
    ///
    /// @throws IOException if the folder of sessions cannot be read
    public Found find() throws IOException {
        var store = new SessionStore(folders);
        var records = store.list((_, _) -> {});
        var last = lastOfCages();
        var dead = new ArrayList<Dead>();
        var holding = new ArrayList<SessionId>();
        for (SessionRecord record : records.subList(Math.min(keep, records.size()), records.size())) {
            if (isOld(record) && !last.contains(record.id()) && !store.isAlive(record.id())) {
                if (holdsChanges(folder(record.id()))) {
                    holding.add(record.id());
                } else {
                    dead.add(dead(record.id(), "session " + record.id() + " of " + record.cage()));
                }
            }
        }
        dead.addAll(begunAndNoMore(store));
        dead.sort(Comparator.comparing(one -> one.id().value()));
        return new Found(dead, holding);
    }

    private Dead dead(SessionId id, String what) throws IOException {
        return new Dead(id, Litter.at(what, folder(id)));
    }

    private Path folder(SessionId id) throws IOException {
        return folders.sessions().resolve(id.value());
    }

    private boolean isOld(SessionRecord record) {
        var end = record.end().map(SessionRecord.End::at).orElse(record.start());
        return end.plus(age).isBefore(now);
    }

    private Set<SessionId> lastOfCages() throws IOException {
        var cages = NamedCages.of(folders);
        var last = new HashSet<SessionId>();
        for (String name : cages.names()) {
            CageSession.of(cages, name).map(CageSession::id).ifPresent(last::add);
        }
        return last;
    }

    private static boolean holdsChanges(Path folder) throws IOException {
        for (SessionCopy copy : SessionCopy.all(folder)) {
            if (isFilled(copy.upper())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFilled(Path folder) throws IOException {
        try (var entries = Files.newDirectoryStream(folder)) {
            return entries.iterator().hasNext();
        } catch (NoSuchFileException _) {
            return false; // a discard was interrupted
        }
    }

    /// Folders without a record.
    private List<Dead> begunAndNoMore(SessionStore store) throws IOException {
        var dead = new ArrayList<Dead>();
        try (var entries = Files.newDirectoryStream(folders.sessions(), DeadSessions::isFolder)) {
            for (Path folder : entries) {
                var id = id(folder);
                if (id.isPresent()
                        && Files.notExists(folder.resolve("session.json"), LinkOption.NOFOLLOW_LINKS)
                        && !store.isAlive(id.get())
                        && Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS)
                                .toInstant()
                                .plus(BEGINNING)
                                .isBefore(now)) {
                    dead.add(dead(id.get(), "session " + id.get() + ", which never began"));
                }
            }
        }
        return dead;
    }

    private static boolean isFolder(Path entry) {
        return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
    }

    private static Optional<SessionId> id(Path folder) {
        try {
            return Optional.of(new SessionId(String.valueOf(folder.getFileName())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// Removes one, unless it has come to life meanwhile.
    ///
    /// @return is it gone?
    /// @throws IOException if something of it cannot be removed
    public boolean remove(Dead dead) throws IOException {
        var folder = folder(dead.id());
        var held = SessionLife.takeOver(folder);
        boolean neverLived = Files.notExists(folder.resolve("alive"), LinkOption.NOFOLLOW_LINKS);
        if (held.isEmpty() && !neverLived) {
            return false;
        }
        try {
            dead.folder().remove();
            return true;
        } finally {
            if (held.isPresent()) {
                held.get().close();
            }
        }
    }
}
