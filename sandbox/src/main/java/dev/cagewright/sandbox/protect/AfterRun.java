package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.gitconfig.HarmlessSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What a run left in the workspace that a person or a tool on the host would execute or obey. Call it when every
/// process of the cage is dead and the placeholders are gone. Runs nothing, least of all git.
///
/// @param findings in the order of their paths within a kind
/// @param changedExecutables how many executable files were made or changed
/// @param complete false if a bound was hit, so that something may have been missed
public record AfterRun(List<Finding> findings, int changedExecutables, boolean complete) {

    /// One thing that was found.
    ///
    /// @param path relative to the workspace
    /// @param sentence what it is and what was done, without the path
    public record Finding(Kind kind, ByteString path, String sentence) {
        /// One line, safe on a terminal.
        public String line() {
            return path.printable() + ": " + sentence;
        }
    }

    /// What a finding is about.
    public enum Kind {
        /// A protected name came into being; it was moved to the quarantine.
        QUARANTINED,
        /// The same, but it could not be moved.
        APPEARED,
        /// A repository that is new, with something in it that git would start.
        REPOSITORY,
        /// A set-id bit was taken away.
        SET_ID_REMOVED,
        /// A set-id bit could not be taken away.
        SET_ID,
        /// A file that some tool runs without asking was made or changed.
        RUNS_BY_ITSELF,
        /// An executable file was made or changed; only the first ones are listed.
        EXECUTABLE
    }

    public AfterRun {
        findings = List.copyOf(findings);
    }

    /// What of the host has a say in what is found.
    ///
    /// @param harmless the settings that a new repository may have
    /// @param programs folders in which the person's shell looks for programs, absolute and real
    public record Host(HarmlessSettings harmless, List<Path> programs) {
        public Host {
            programs = List.copyOf(programs);
        }
    }

    /// The same for a host without folders of programs, where nothing local is out of the workload's reach.
    static AfterRun report(ProtectionPlan before, Placeholders.Held held, Instant started, Path quarantine)
            throws IOException {
        var nothing = new Host(new HarmlessSettings(_ -> false), List.of());
        return report(before, held, new Since(started, quarantine), nothing);
    }

    /// When the run began, and where to put what must not stay.
    ///
    /// @param quarantine a folder of the session that the cage never saw; made with mode 0700 if needed
    public record Since(Instant started, Path quarantine) {}

    /// Looks at the workspace of `before`, moves what must not be there into the quarantine, takes set-id bits away,
    /// and
    /// disarms repositories that are new.
    ///
    /// @param held what [Placeholders#create] answered for the session
    /// @throws IOException if the workspace cannot be read
    public static AfterRun report(ProtectionPlan before, Placeholders.Held held, Since since, Host host)
            throws IOException {
        var findings = new ArrayList<Finding>();
        new Quarantine(before.workspace(), since.quarantine).takeAppeared(before, held, findings);
        var walk = new AftermathWalk(before, since.started, host, findings);
        walk.run();
        return new AfterRun(findings, walk.changedExecutables(), walk.isComplete());
    }

    /// The folder of one session for things that must not stay in the workspace. They are renamed into it as a whole,
    /// under numbers, with a list of where they came from; nothing in them is opened.
    private record Quarantine(Path workspace, Path folder) {
        private static final int CARRIED_LIMIT = 10_000;

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
                } catch (AtomicMoveNotSupportedException _) {
                    carryOver(at.on(workspace), folder.resolve(name));
                }
                remember(name, at);
                return new Finding(
                        Kind.QUARANTINED,
                        at.bytes(),
                        "was absent and protected and came into being during the run: moved to "
                                + folder.resolve(name));
            } catch (IOException e) {
                return new Finding(
                        Kind.APPEARED,
                        at.bytes(),
                        "was absent and protected and came into being during the run; it could not be moved away ("
                                + e.getClass().getSimpleName() + "): look at it before any tool does");
            }
        }

        /// The quarantine is on another file system: copies everything, links as links, and removes it only then.
        private static void carryOver(Path from, Path to) throws IOException {
            List<Path> all;
            try (var walk = Files.walk(from)) {
                all = walk.limit(CARRIED_LIMIT + 1L).toList();
            }
            if (all.size() > CARRIED_LIMIT) {
                throw new IOException(from + ": more than " + CARRIED_LIMIT + " entries");
            }
            for (Path path : all) {
                var target = path.equals(from) ? to : to.resolve(from.relativize(path));
                Files.copy(path, target, LinkOption.NOFOLLOW_LINKS);
            }
            for (Path path : all.reversed()) {
                Files.delete(path);
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
}
