package dev.cagewright.supervisor.scaffold;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.Mount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Where an agent stands on the host, and what of the host a cage has to see, read-only, so that it can run there: its
/// packages, and the interpreter that its first line names, where a cage does not have them anyway.
///
/// @param program the file that runs, without links
/// @param visible what has to be seen, sorted; none is within another
/// @param path folders of programs in `visible`, to be looked in before the cage's own
public record Installation(Path program, List<Path> visible, List<Path> path) {
    /// What every cage sees.
    private static final List<Path> SYSTEM = Stream.of("/usr", "/opt", "/bin", "/sbin", "/nix/store", "/gnu/store")
            .map(Path::of)
            .toList();

    private static final Path PACKAGES = Path.of("node_modules");
    private static final int FIRST_LINE = 256;

    public Installation {
        visible = List.copyOf(visible);
        path = List.copyOf(path);
    }

    /// The program of this name on the caller's `PATH`; empty if there is none.
    ///
    /// @throws IOException if it is there and cannot be read
    public static Optional<Installation> of(String name, Map<ByteString, ByteString> caller) throws IOException {
        var found = onPath(name, caller);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var program = found.get().toRealPath();
        var visible = new TreeSet<Path>();
        var path = new ArrayList<Path>();
        see(packages(program).orElse(program), visible);
        var interpreter = interpreter(program).flatMap(word -> onPath(word, caller));
        if (interpreter.isPresent()) {
            var real = interpreter.get().toRealPath();
            if (!isSystem(real)) {
                see(installed(real), visible);
                path.add(folderOf(real));
            }
        }
        return Optional.of(new Installation(program, outermost(visible), path));
    }

    private static void see(Path place, TreeSet<Path> visible) {
        if (!isSystem(place)) {
            visible.add(place);
        }
    }

    private static boolean isSystem(Path place) {
        return SYSTEM.stream().anyMatch(place::startsWith);
    }

    private static List<Path> outermost(TreeSet<Path> places) {
        return places.stream()
                .filter(place -> places.stream().noneMatch(other -> !other.equals(place) && place.startsWith(other)))
                .toList();
    }

    private static Optional<Path> onPath(String name, Map<ByteString, ByteString> caller) {
        var path = caller.getOrDefault(ByteString.of("PATH"), ByteString.of(""))
                .utf8()
                .orElse("");
        return Stream.of(path.split(":", -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// The outermost folder of packages that it is in: packages use others beside them.
    private static Optional<Path> packages(Path program) {
        for (int i = 0; i < program.getNameCount(); i++) {
            if (program.getName(i).equals(PACKAGES)) {
                return Optional.of(Path.of("/").resolve(program.subpath(0, i + 1)));
            }
        }
        return Optional.empty();
    }

    /// A folder that a version manager made for one version, `.../v24.1.0/bin/node`, holds what was installed with it,
    /// and nothing of the person's. Any other folder may, so that only the interpreter itself is seen.
    private static Path installed(Path interpreter) {
        var folder = folderOf(interpreter);
        var above = folder.getParent();
        boolean isOfOneVersion = folder.endsWith("bin")
                && above != null
                && (isVersion(above) || (above.endsWith("installation") && isVersion(folderOf(above))));
        return isOfOneVersion ? folderOf(folder) : interpreter;
    }

    private static boolean isVersion(Path folder) {
        return String.valueOf(folder.getFileName()).matches("v?[0-9]+\\.[0-9]+(\\.[0-9]+)?");
    }

    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "a root folder (expected: a file)");
    }

    /// The program's name in `#!/usr/bin/env NAME`; empty for every other file, whose interpreter is a path.
    private static Optional<String> interpreter(Path program) throws IOException {
        try (var in = Files.newInputStream(program)) {
            var head = new String(in.readNBytes(FIRST_LINE), StandardCharsets.ISO_8859_1);
            var line = head.lines().findFirst().orElse("");
            if (!line.matches("#!\\s*/usr/bin/env\\s.*")) {
                return Optional.empty();
            }
            return Stream.of(line.strip().split("\\s+", -1))
                    .skip(line.matches("#!\\s.*") ? 2 : 1)
                    .filter(word -> !word.startsWith("-") && word.indexOf('=') < 0)
                    .findFirst();
        }
    }

    /// What has to be seen, as mounts at the same places.
    public List<Mount> mounts() {
        return visible.stream()
                .map(place -> new Mount(
                        new GuestPath(place.toString()), Mount.Access.RO, new Mount.Source.HostPath(place.toString())))
                .toList();
    }
}
