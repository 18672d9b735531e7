package dev.cagewright.supervisor.named;

import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The homes whose workspace or named cage is gone: histories and log-ins that somebody may still want, so that they
/// go only when a person says so.
///
/// @param folders the person's
public record LeftHomes(StateFolders folders) {
    private static final String OF_CAGE = "cage.";
    private static final int LONGEST = 8192;

    /// What there is. A home of which nobody wrote down whose it is, is not in it.
    public List<Litter> find() throws IOException {
        var left = new ArrayList<Litter>();
        if (!Files.isDirectory(folders.homes(), LinkOption.NOFOLLOW_LINKS)) {
            return left;
        }
        try (var homes = Files.newDirectoryStream(folders.homes(), LeftHomes::isFolder)) {
            for (Path home : homes) {
                whose(String.valueOf(home.getFileName()))
                        .ifPresent(gone -> left.add(Litter.at("the home of " + gone, home)));
            }
        }
        left.sort(Comparator.comparing(litter -> litter.place().toString()));
        return left;
    }

    private static boolean isFolder(Path entry) {
        return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
    }

    /// What is gone; empty where it is there or unknown.
    private Optional<String> whose(String home) throws IOException {
        if (home.startsWith(OF_CAGE)) {
            var name = home.substring(OF_CAGE.length());
            return name.matches(NamedCage.NAME) && !NamedCages.of(folders).has(name)
                    ? Optional.of("the cage " + name + ", which is gone")
                    : Optional.empty();
        }
        var note = note(home);
        if (Files.notExists(note, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        var workspace = new String(OwnerFile.read(note, LONGEST), StandardCharsets.UTF_8);
        return workspace.startsWith("/") && Files.notExists(Path.of(workspace), LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(home.replaceFirst("-[0-9a-f]{12}$", "") + " in " + workspace + ", which is gone")
                : Optional.empty();
    }

    private Path note(String home) throws IOException {
        return folders.homeNotes().resolve(home);
    }

    /// Removes one.
    ///
    /// @throws IOException if something of it cannot be removed
    public void remove(Litter home) throws IOException {
        home.remove();
        Files.deleteIfExists(note(String.valueOf(home.place().getFileName())));
    }
}
