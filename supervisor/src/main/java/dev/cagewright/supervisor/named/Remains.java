package dev.cagewright.supervisor.named;

import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.SharedFolder;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What interrupted commands left: half-made cages, copies of edits, state of cages that are gone, what cages of killed
/// sessions had of the product.
///
/// @param folders the person's
/// @param now the present
public record Remains(StateFolders folders, Instant now) {
    /// What is younger may be somebody's who is at it.
    private static final Duration AT_WORK = Duration.ofDays(1);

    /// What there is.
    public List<Litter> find() throws IOException {
        var cages = NamedCages.of(folders);
        var found = new ArrayList<Litter>();
        for (Path half : entries(folders.config().resolve("cages"), name -> name.startsWith(".new-"))) {
            found.add(Litter.at("a cage that was never finished", half));
        }
        for (Path state : entries(folders.state().resolve("cages"), name -> name.matches(NamedCage.NAME))) {
            var name = String.valueOf(state.getFileName());
            if (!cages.has(name)) {
                found.add(Litter.at("the state of the cage " + name + ", which is gone", state));
                continue;
            }
            for (Path edit : entries(state, file -> file.startsWith("edit-"))) {
                found.add(Litter.at("an edit of " + name + " that was not kept", edit));
            }
        }
        found.addAll(shared());
        return found;
    }

    /// A session begins its life before it shares anything.
    private List<Litter> shared() throws IOException {
        var found = new ArrayList<Litter>();
        var store = new SessionStore(folders);
        try (var beside = Files.newDirectoryStream(folders.homes())) {
            for (Path folder : beside) {
                var session = SharedFolder.whose(folder);
                if (session.isPresent() && !store.isAlive(session.get())) {
                    found.add(Litter.at("what the cage of session " + session.get() + " had", folder));
                }
            }
        } catch (NoSuchFileException _) {
            return List.of();
        }
        return found;
    }

    /// Those that nobody has touched for a while.
    private List<Path> entries(Path folder, Predicate<String> named) throws IOException {
        DirectoryStream.Filter<Path> old = entry -> named.test(String.valueOf(entry.getFileName()))
                && Files.getLastModifiedTime(entry, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .plus(AT_WORK)
                        .isBefore(now);
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(folder, old)) {
            entries.forEach(found::add);
        } catch (NoSuchFileException _) {
            return List.of();
        }
        return found;
    }
}
