package dev.cagewright.supervisor.registries;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a tool of this machine would read: its files, bounded, and the caller's variables.
///
/// @param root the host's root
/// @param variables the caller's, by name
/// @param writable folders in which nothing is believed, because a cage may have written it
record ToolFiles(Path root, Map<String, String> variables, List<Path> writable) {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MOST_NAMES = 1_024;

    ToolFiles {
        variables = Map.copyOf(variables);
        writable = List.copyOf(writable);
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /// The caller's home; without one nothing of it is read.
    Optional<Path> home() {
        return variable("HOME").filter(home -> home.startsWith("/")).map(this::at);
    }

    /// A path of the host as text; relative ones are none.
    Path at(String path) {
        try {
            return root.resolve(path.startsWith("/") ? path.substring(1) : path);
        } catch (InvalidPathException _) {
            return root.resolve("nonexistent");
        }
    }

    /// The file's text, or nothing if there is none.
    ///
    /// @throws UnknownRegistryException if it is there and cannot be believed or read
    Optional<String> text(Path file) throws UnknownRegistryException {
        try {
            var real = file.toRealPath();
            if (!Files.isRegularFile(real)) {
                return Optional.empty();
            }
            requireOwn(file, real);
            try (var in = Files.newInputStream(real)) {
                var bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new UnknownRegistryException(shown(file) + " has more than " + MAX_BYTES + " bytes");
                }
                return Optional.of(new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (NoSuchFileException | NotDirectoryException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UnknownRegistryException(shown(file) + " cannot be read: " + e.getMessage());
        }
    }

    private void requireOwn(Path file, Path real) throws UnknownRegistryException {
        for (Path folder : writable) {
            if (real.startsWith(folder)) {
                throw new UnknownRegistryException(
                        shown(file) + " lies in " + folder + ", where a cage may have written it");
            }
        }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    List<Path> children(Path folder) {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (found.size() == MOST_NAMES) {
                    break;
                }
                found.add(entry);
            }
        } catch (IOException | DirectoryIteratorException _) {
            return List.of();
        }
        return found.stream().sorted().toList();
    }

    /// Every program of this name on the caller's `PATH`, without links.
    List<Path> programs(String name) {
        return Stream.of(variable("PATH").orElse("/usr/local/bin:/usr/bin:/bin").split(":", -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> at(folder).resolve(name))
                .filter(Files::isExecutable)
                .flatMap(ToolFiles::real)
                .distinct()
                .toList();
    }

    private static Stream<Path> real(Path path) {
        try {
            return Stream.of(path.toRealPath());
        } catch (IOException _) {
            return Stream.empty();
        }
    }

    /// Is what `from` names a file that every cage sees by itself?
    static boolean isSeenInCages(String from) {
        return from.matches("/(etc|usr|opt)/.*");
    }

    /// The file as the person knows it, printable.
    String shown(Path file) {
        var below = file.startsWith(root) ? Path.of("/").resolve(root.relativize(file)) : file;
        return ByteString.of(below.toString()).printable();
    }
}
