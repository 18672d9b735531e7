package dev.cagewright.sandbox.programs;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.programs.ProgramNotFoundException.Kind;
import dev.cagewright.sandbox.programs.ResolvedProgram.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Finds programs as the cage will: bare names on one fixed search path, through the host's system trees
/// that every cage sees read-only, never in the workspace. Immutable; safe for all threads.
public final class Programs {
    /// The `PATH` of every cage.
    public static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    /// The host's trees that every cage sees.
    static final List<Path> SYSTEM_TREES = Stream.of(
                    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt")
            .map(Path::of)
            .toList();

    private static final Set<PosixFilePermission> EXECUTE = Set.of(
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private final GuestLinks links;
    private final List<Path> writable;
    private final List<Path> readable;

    private Programs(GuestLinks links, List<Path> writable, List<Path> readable) {
        this.links = links;
        this.writable = writable;
        this.readable = readable;
    }

    /// The programs of this host's system trees.
    ///
    /// @param writable directories that the workload may write, at the path it sees them under
    /// @param readable further directories that it sees but cannot write
    public static Programs ofHost(List<Path> writable, List<Path> readable) {
        return below(Path.of("/"), writable, readable);
    }

    /// The same for a tree that is a root directory in waiting.
    static Programs below(Path root, List<Path> writable, List<Path> readable) {
        return new Programs(new GuestLinks(root, Map.of()), normal(writable), normal(readable));
    }

    /// The same where some of the directories stand elsewhere on the host.
    ///
    /// @param mounted the host's directory by the path that the workload sees it under
    public Programs with(Map<Path, Path> mounted) {
        var sources = new HashMap<Path, Path>();
        mounted.forEach((at, source) -> sources.put(at.normalize(), real(source)));
        return new Programs(new GuestLinks(links.root(), sources), writable, readable);
    }

    private static Path real(Path source) {
        try {
            return source.toRealPath();
        } catch (IOException _) {
            return source;
        }
    }

    private static List<Path> normal(List<Path> paths) {
        return paths.stream().map(Path::normalize).toList();
    }

    /// The file that `program` means: a bare name is looked up on [#PATH], a name with `/` must be absolute.
    ///
    /// @throws ProgramNotFoundException if it is missing, not executable, outside of what the cage sees, or a
    ///     bare name that leads into a tree which the workload may write
    public ResolvedProgram resolve(ByteString program) throws ProgramNotFoundException {
        var name = program.utf8()
                .filter(text -> !text.isEmpty() && text.indexOf('\0') < 0)
                .orElseThrow(() -> new ProgramNotFoundException("program \"" + program.printable()
                        + "\": not a usable name (expected: UTF-8, not empty); rename the file"));
        if (name.startsWith("/")) {
            return resolveAbsolute(program, Path.of(name));
        }
        if (name.indexOf('/') >= 0) {
            throw new ProgramNotFoundException("program \"" + program.printable()
                    + "\": a relative path depends on the working directory; give a bare name or an absolute path");
        }
        return resolveBare(program, name);
    }

    /// The same where a missing program is nothing to tell.
    Optional<ResolvedProgram> find(String program) {
        try {
            return Optional.of(resolve(ByteString.of(program)));
        } catch (ProgramNotFoundException _) {
            return Optional.empty();
        }
    }

    /// Where `name` is for the caller although the cage does not find it: version managers put programs under
    /// a home directory. One sentence, or empty if the caller does not have it either.
    ///
    /// @param callerPath the caller's `PATH`
    public Optional<String> elsewhere(String name, ByteString callerPath) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || find(name).isPresent()) {
            return Optional.empty();
        }
        return Stream.of(callerPath.utf8().orElse("").split(":", -1))
                .filter(folder -> folder.startsWith("/") && folder.indexOf('\0') < 0)
                .map(folder -> Path.of(folder, name))
                .filter(path -> isProgram(links.onHost(path)))
                .findFirst()
                .map(path -> name + " is " + path + " for you, which the cage does not see: mount its directory"
                        + " read-only and give the absolute path, or install it for the whole system");
    }

    private ResolvedProgram resolveBare(ByteString program, String name) throws ProgramNotFoundException {
        var seen = new ArrayList<String>();
        for (String folder : PATH.split(":", -1)) {
            var named = Path.of(folder, name);
            if (!Files.exists(links.onHost(named)) && !Files.isSymbolicLink(links.onHost(named))) {
                continue;
            }
            try {
                var found = resolveAbsolute(program, named);
                if (found.place() == Place.SYSTEM) {
                    return found;
                }
                seen.add(named + " leads to " + found.target() + ", which the workload may write");
            } catch (ProgramNotFoundException e) {
                seen.add(e.getMessage());
            }
        }
        var what = seen.isEmpty() ? "not on the cage's PATH (" + PATH + ")" : String.join("; ", seen);
        throw new ProgramNotFoundException("program \"" + program.printable() + "\": " + what
                + "; install it for the whole system, or give the absolute path of a mounted file");
    }

    private ResolvedProgram resolveAbsolute(ByteString program, Path named) throws ProgramNotFoundException {
        GuestLinks.Walk walk;
        try {
            walk = links.follow(named);
        } catch (IOException e) {
            throw new ProgramNotFoundException(named + ": cannot be followed (" + e.getMessage() + ")");
        }
        var target = walk.target();
        if (!isVisible(target)) {
            throw new ProgramNotFoundException(
                    named + ": leads to " + target + ", which the cage does not see; mount that directory");
        }
        if (!isProgram(links.onHost(target))) {
            throw noProgram(named, target);
        }
        boolean changeable = isIn(writable, target) || walk.links().stream().anyMatch(link -> isIn(writable, link));
        return new ResolvedProgram(program, named, target, walk.links(), changeable ? Place.WRITABLE : Place.SYSTEM);
    }

    private ProgramNotFoundException noProgram(Path named, Path target) {
        return Files.exists(links.onHost(target))
                ? new ProgramNotFoundException(Kind.NOT_EXECUTABLE, named + ": is not an executable file")
                : new ProgramNotFoundException(named + ": does not exist");
    }

    /// The names in the search path's folders that `wanted` accepts, sorted, each once.
    List<String> namesOnPath(NameTest wanted) {
        return Stream.of(PATH.split(":", -1))
                .map(folder -> links.onHost(Path.of(folder)))
                .flatMap(folder -> names(folder).stream())
                .filter(wanted::accepts)
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> names(Path folder) {
        try (var entries = Files.list(folder)) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// Which names are of interest.
    interface NameTest {
        boolean accepts(String name);
    }

    /// The host's path of a file that the cage sees as `guest`, links followed, or empty if it is not there.
    Optional<Path> existing(Path guest) {
        try {
            var target = links.follow(guest).target();
            return Files.exists(links.onHost(target)) && isVisible(target) ? Optional.of(target) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    Path onHost(Path guest) {
        return links.onHost(guest);
    }

    private boolean isVisible(Path target) {
        return isIn(SYSTEM_TREES, target) || isIn(readable, target) || isIn(writable, target);
    }

    private static boolean isIn(List<Path> trees, Path path) {
        return trees.stream().anyMatch(path::startsWith);
    }

    private static boolean isProgram(Path host) {
        try {
            return Files.isRegularFile(host)
                    && Files.getPosixFilePermissions(host).stream().anyMatch(EXECUTE::contains);
        } catch (IOException _) {
            return false;
        }
    }
}
