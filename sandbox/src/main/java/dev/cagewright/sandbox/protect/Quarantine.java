package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.protect.AfterRun.Finding;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The folder of one session for things that must not stay in the workspace. They are renamed into it as a whole,
/// under numbers, with a list of where they came from; nothing in them is opened.
final class Quarantine {
    private final Path workspace;
    private final Path folder;

    Quarantine(Path workspace, Path folder) {
        this.workspace = workspace;
        this.folder = folder;
    }

    /// Takes every protected name that was absent before the run, was not held free, and is there now.
    void takeAppeared(ProtectionPlan before, Placeholders.Held held, List<Finding> findings) {
        for (TreePath at : candidates(before, held)) {
            if (Shape.of(at.on(workspace)) != Shape.ABSENT) {
                findings.add(take(at));
            }
        }
    }

    private static Set<TreePath> candidates(ProtectionPlan before, Placeholders.Held held) {
        var candidates = new TreeSet<>(before.atStart().watched());
        held.refused()
                .forEach(notice -> candidates.add(new TreePath(notice.path().latin1())));
        return candidates;
    }

    private Finding take(TreePath at) {
        try (var from = Folder.descend(workspace, at.parent())) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            var name = freeName();
            try (var to = Folder.open(folder)) {
                from.move(at.on(workspace), to, Path.of(name));
            }
            remember(name, at);
            return new Finding(
                    Kind.QUARANTINED,
                    at.bytes(),
                    "was absent and protected and came into being during the run: moved to " + folder.resolve(name));
        } catch (IOException e) {
            return new Finding(
                    Kind.APPEARED,
                    at.bytes(),
                    "was absent and protected and came into being during the run; it could not be moved away ("
                            + e.getClass().getSimpleName() + "): look at it before any tool does");
        }
    }

    private String freeName() throws IOException {
        for (int number = 1; number < 10_000; number++) {
            if (Shape.of(folder.resolve(String.valueOf(number))) == Shape.ABSENT) {
                return String.valueOf(number);
            }
        }
        throw new IOException(folder + ": full");
    }

    /// One line a thing; the path is escaped, so any name fits on it.
    private void remember(String name, TreePath at) throws IOException {
        Files.writeString(
                folder.resolve("list"),
                name + "\t" + at.bytes().printable() + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
