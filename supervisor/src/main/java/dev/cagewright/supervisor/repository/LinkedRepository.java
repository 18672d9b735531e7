package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.supervisor.repository.OwnConfigs.Kind;
import dev.cagewright.supervisor.repository.OwnConfigs.Original;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a cage gets of the repository of a linked worktree: its folder to read, and to write what git writes there for
/// a worktree, no name of which anybody replaces. So what stands in the folder itself, settings, hooks, the main
/// worktree's index, cannot be written whatever the host does to it meanwhile. For one thread.
public final class LinkedRepository {
    /// Shared by all worktrees of a repository, with what extensions keep beside the objects.
    private static final List<String> WRITTEN = List.of("objects", "refs", "logs", "rr-cache", "lfs");

    private static final String PACKED_REFS = "packed-refs";
    /// As git writes it.
    private static final byte[] NOTHING_PACKED =
            "# pack-refs with: peeled fully-peeled sorted \n".getBytes(StandardCharsets.US_ASCII);

    private static final int MOST_NAMES = 1_000;

    private final LinkedWorktree worktree;
    private final List<Mount> mounts = new ArrayList<>();
    private final List<Mask> masks = new ArrayList<>();
    private final List<Original> originals = new ArrayList<>();

    private LinkedRepository(LinkedWorktree worktree) {
        this.worktree = worktree;
    }

    /// To read only.
    public static LinkedRepository read(LinkedWorktree worktree) throws IOException {
        var made = new LinkedRepository(worktree);
        made.addCommon();
        return made;
    }

    /// To read, and to write what git does; what git would make by and by is made.
    ///
    /// @throws ConfinementException if a part of it is a link, or cannot be opened
    public static LinkedRepository written(LinkedWorktree worktree) throws IOException, ConfinementException {
        var made = new LinkedRepository(worktree);
        made.complete();
        made.addCommon();
        made.addWritten();
        return made;
    }

    private Path common() {
        return worktree.repository();
    }

    private void complete() throws IOException {
        try (var open = HostFolder.open(worktree.common().path())) {
            var self = open.self();
            var logs = ByteString.of("logs");
            if (open.look(logs).isEmpty()) {
                open.makeFolder(logs);
                open.permit(logs, self.permissions());
                giveIfForeign(open, logs, self);
            }
            var made = open.createWhereNothingIs(ByteString.of(PACKED_REFS));
            if (made.isPresent()) {
                try (var file = made.get()) {
                    file.append(NOTHING_PACKED);
                    file.dress(self.permissions() & 0666, InstantSource.system().instant());
                }
                giveIfForeign(open, ByteString.of(PACKED_REFS), self);
            }
        }
    }

    private static void giveIfForeign(HostFolder folder, ByteString name, HostEntry like) throws IOException {
        var isLike = folder.look(name)
                .filter(made -> made.identity().owner() == like.identity().owner())
                .isPresent();
        if (!isLike) {
            folder.give(name, like.identity());
        }
    }

    private void addCommon() throws IOException {
        mounts.add(mount(worktree.common(), Access.READ_ONLY));
        hideSockets(common());
        try (var open = HostFolder.open(worktree.common().path())) {
            for (ByteString name : namesIn(open, "worktrees")) {
                name.utf8()
                        .ifPresent(text ->
                                hideSockets(common().resolve("worktrees").resolve(text)));
            }
        }
    }

    private static List<ByteString> namesIn(HostFolder folder, String name) throws IOException {
        var below = folder.folder(ByteString.of(name));
        if (below.isEmpty()) {
            return List.of();
        }
        try (var open = below.get()) {
            return open.names(MOST_NAMES);
        }
    }

    /// That of git's file system monitor tells names of files.
    private void hideSockets(Path folder) {
        try (var open = HostFolder.open(ByteString.of(folder.toString()))) {
            for (ByteString name : open.names(MOST_NAMES)) {
                if (open.look(name)
                                .filter(one -> one.kind() == HostEntry.Kind.SOCKET)
                                .isPresent()
                        && name.utf8().isPresent()) {
                    masks.add(mask(folder.resolve(name.utf8().get()), Mask.Kind.HIDDEN));
                }
            }
        } catch (IOException _) {
            return; // what this person cannot look at, the cage cannot either
        }
    }

    private static Mask mask(Path path, Mask.Kind kind) {
        return new Mask(ByteString.of(path.toString()), kind);
    }

    private void addWritten() throws IOException, ConfinementException {
        try (var open = HostFolder.open(worktree.common().path())) {
            for (String name : WRITTEN) {
                var there = open.look(ByteString.of(name));
                if (there.isPresent()) {
                    mounts.add(mount(folder(common().resolve(name)), Access.READ_WRITE));
                }
            }
        }
        mounts.add(mount(worktree.admin(), Access.READ_WRITE));
        addOriginal(Kind.SETTINGS, "config");
        addOriginal(Kind.PACKED_REFS, PACKED_REFS);
    }

    private void addOriginal(Kind kind, String name) throws IOException {
        try (var open = HostFolder.open(worktree.common().path())) {
            if (open.look(ByteString.of(name)).filter(HostEntry::isFile).isEmpty()) {
                return; // it can be read, as everything there
            }
        }
        var mask = mask(common().resolve(name), Mask.Kind.READ_ONLY);
        var target = new Target(common(), Optional.empty());
        masks.add(mask);
        originals.add(new Original(kind, target, ByteString.of(name), mask.path()));
    }

    private static HostDirectory folder(Path path) throws ConfinementException {
        var text = ByteString.of(path.toString());
        var folder = HostDirectory.open(text, Access.READ_WRITE);
        if (!folder.path().equals(text)) {
            throw new ConfinementException(
                    "repository",
                    text.printable(),
                    "is a link",
                    "put the folder itself there, or start in the repository's main worktree");
        }
        return folder;
    }

    private static Mount mount(HostDirectory directory, Access access) {
        return new Mount(new GuestPath(directory.path().utf8().orElseThrow()), new Mount.Looked(directory), access);
    }

    public List<Mask> masks() {
        return masks;
    }

    /// What the cage has copies of its own of.
    public List<Original> originals() {
        return originals;
    }

    /// `spec` with it mounted.
    public CageSpec over(CageSpec spec) {
        var all = new ArrayList<>(spec.mounts());
        all.addAll(mounts);
        return spec.withMounts(all);
    }
}
