package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostEntry.Kind;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Goes through a copy and the host's directory side by side, one directory open at a time. For one thread.
final class CopyWalk {
    /// So many names are looked at.
    private static final int ENTRY_LIMIT = 4_000_000;

    /// PATH_MAX without the NUL, limits.h: what is deeper has no path that a call would take.
    private static final int PATH_LIMIT = 4095;

    private static final int MISSED_LIMIT = 100;

    /// overlayfs.rst: "opaque" directories hide what is below them, "origin" marks what was copied up, "whiteout" on
    /// an empty file is one where no device node could be made.
    private static final String OPAQUE = "user.overlay.opaque";

    private static final String ORIGIN = "user.overlay.origin";
    private static final String WHITEOUT = "user.overlay.whiteout";

    private final SessionCopy copy;
    private final CopyTrees trees;
    private final Set<ByteString> held;
    private final List<Difference> found = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private final Deque<Pending> folders = new ArrayDeque<>();
    private final GoneBefore gone;
    private int entries;

    /// A directory of the copy that waits.
    ///
    /// @param whole overlayfs mixes nothing of the host's into it, because it is opaque, new, or in such a one
    private record Pending(RelativePath path, boolean whole) {}

    CopyWalk(SessionCopy copy, CopyTrees trees) throws IOException {
        this.gone = GoneBefore.load(copy);
        this.copy = copy;
        this.trees = trees;
        this.held = new HashSet<>(copy.held());
    }

    ChangeSet run() {
        folders.push(new Pending(RelativePath.TOP, copy.mechanism() != Mechanism.OVERLAY));
        while (!folders.isEmpty() && hasRoom()) {
            var next = folders.pop();
            attempt(next.path, () -> compareFolder(next));
        }
        if (!folders.isEmpty() || !hasRoom()) {
            missed.addFirst("more than " + ChangeSet.LIMIT + " changes or " + ENTRY_LIMIT
                    + " names: the rest was not looked at");
        }
        found.sort(null);
        return new ChangeSet(copy, found, missed);
    }

    private boolean hasRoom() {
        return found.size() < ChangeSet.LIMIT && entries < ENTRY_LIMIT;
    }

    /// One step that may fail without an end to the rest.
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private void attempt(RelativePath path, Step step) {
        try {
            step.run();
        } catch (IOException e) {
            miss(path + ": " + ByteString.of(String.valueOf(e.getMessage())).printable());
        }
    }

    private void miss(String sentence) {
        if (missed.size() < MISSED_LIMIT) {
            missed.add(sentence);
        }
    }

    private List<ByteString> namesOf(HostFolder folder) throws IOException {
        var names = new ArrayList<>(folder.names(ENTRY_LIMIT - entries));
        entries += names.size();
        names.sort(null);
        return names;
    }

    private void compareFolder(Pending next) throws IOException {
        var path = next.path;
        var upper = trees.upper().ownFolder(path.bytes());
        if (upper.isEmpty()) {
            throw new IOException("was a directory and is none any more");
        }
        var host = trees.hostFolder(path);
        try (var here = upper.get()) {
            boolean whole = next.whole || isOpaque(here);
            var names = namesOf(here);
            for (ByteString name : names) {
                attempt(path.child(name), () -> compare(new Pending(path.child(name), whole), here, host));
            }
            if (host.isPresent() && whole) {
                deleteRest(path, host.get(), new HashSet<>(names));
            }
        } finally {
            host.ifPresent(HostFolder::close);
        }
    }

    private static boolean isOpaque(HostFolder upper) throws IOException {
        return upper.attribute(OPAQUE)
                .filter(value -> value.latin1().equals("y"))
                .isPresent();
    }

    private void deleteRest(RelativePath path, HostFolder host, Set<ByteString> kept) throws IOException {
        for (ByteString name : namesOf(host)) {
            var at = path.child(name);
            if (!kept.contains(name) && !held.contains(at.bytes())) {
                attempt(at, () -> {
                    var entry = host.look(name);
                    if (entry.isPresent() && !isHostsOwn(entry.get())) {
                        delete(at, host, entry.get());
                    }
                });
            }
        }
    }

    /// In a whole copy nothing tells a name that the workload removed from one that the host made later, but its time.
    private boolean isHostsOwn(HostEntry entry) {
        return copy.mechanism() != Mechanism.OVERLAY && !entry.isFolder() && hasMoved(entry);
    }

    private boolean hasMoved(HostEntry entry) {
        return !entry.changed().isBefore(copy.made());
    }

    private void compare(Pending next, HostFolder upper, Optional<HostFolder> host) throws IOException {
        var path = next.path;
        var after = upper.look(path.name());
        var before = host.isPresent() ? host.get().look(path.name()) : Optional.<HostEntry>empty();
        if (after.isEmpty() || held.contains(path.bytes())) {
            return;
        }
        if (isWhiteout(upper, path.name(), after.get())) {
            if (before.isPresent()) {
                delete(path, host.orElseThrow(), before.get());
            }
        } else if (after.get().isFolder()) {
            compareWithFolder(next, after.get(), before, host);
        } else {
            compareLeaf(new Leaf(path, upper, after.get()), before, host);
        }
    }

    private boolean isWhiteout(HostFolder upper, ByteString name, HostEntry entry) throws IOException {
        if (copy.mechanism() != Mechanism.OVERLAY) {
            return false;
        }
        return entry.kind() == Kind.WHITEOUT
                || (entry.isFile()
                        && entry.size() == 0
                        && upper.attribute(name, WHITEOUT).isPresent());
    }

    private void compareWithFolder(Pending next, HostEntry after, Optional<HostEntry> before, Optional<HostFolder> host)
            throws IOException {
        var path = next.path;
        boolean merged = before.isPresent() && before.get().isFolder();
        var folder = new Node.Folder(after.permissions());
        if (merged) {
            int was = before.orElseThrow().permissions();
            if (was != after.permissions()) {
                found.add(new Difference(
                        new Change.ModeChanged(path, new Node.Folder(was), folder), before, Optional.empty()));
            }
        } else {
            if (before.isPresent()) {
                delete(path, host.orElseThrow(), before.get());
            }
            found.add(new Difference(new Change.Added(path, folder), Optional.empty(), Optional.empty()));
        }
        if (path.bytes().size() > PATH_LIMIT - 256) {
            miss(path + ": too deep to be looked into");
        } else {
            folders.push(new Pending(path, next.whole || !merged));
        }
    }

    /// Something in the copy that is no directory.
    private record Leaf(RelativePath path, HostFolder folder, HostEntry entry) {}

    private void compareLeaf(Leaf leaf, Optional<HostEntry> before, Optional<HostFolder> host) throws IOException {
        if (before.isEmpty() || before.get().isFolder()) {
            var gone = before.isEmpty() ? goneMeanwhile(leaf, host) : Optional.<String>empty();
            if (before.isPresent()) {
                delete(leaf.path, host.orElseThrow(), before.get());
            }
            found.add(new Difference(new Change.Added(leaf.path, nodeOf(leaf)), Optional.empty(), gone));
            return;
        }
        var was = nodeOf(host.orElseThrow(), leaf.path.name(), before.get());
        var is = nodeOf(leaf);
        if (!was.equals(is)) {
            var change = isModeOnly(was, is)
                    ? new Change.ModeChanged(leaf.path, was, is)
                    : new Change.Modified(leaf.path, was, is);
            found.add(new Difference(change, before, movedMeanwhile(before.get())));
        }
    }

    private static boolean isModeOnly(Node was, Node is) {
        return was instanceof Node.File(var _, var oldSize, var oldBytes)
                && is instanceof Node.File(var _, var newSize, var newBytes)
                && oldSize == newSize
                && oldBytes.equals(newBytes);
    }

    /// What overlayfs copied up had a file of the host below it, here or where the workload moved it from. In a
    /// directory that the host left alone it was not here.
    private Optional<String> goneMeanwhile(Leaf leaf, Optional<HostFolder> host) throws IOException {
        boolean wasThere = copy.mechanism() == Mechanism.OVERLAY
                && host.isPresent()
                && gone.names(leaf.path).orElse(hasMoved(host.get().self()))
                && leaf.entry.isFile()
                && leaf.folder.attribute(leaf.path.name(), ORIGIN).isPresent();
        return wasThere ? Optional.of("the host removed or moved it after the run began") : Optional.empty();
    }

    private Optional<String> movedMeanwhile(HostEntry before) {
        return hasMoved(before) ? Optional.of("the host changed it after the run began") : Optional.empty();
    }

    private Node nodeOf(Leaf leaf) throws IOException {
        var name = leaf.path.name();
        return switch (leaf.entry.kind()) {
            case FILE ->
                new Node.File(
                        leaf.entry.permissions(),
                        leaf.entry.size(),
                        isTooLarge(leaf.entry) ? "" : Digests.of(leaf.folder.readOwn(name)));
            case LINK, FOLDER, WHITEOUT, FIFO, SOCKET, DEVICE -> nodeOf(leaf.folder, name, leaf.entry);
        };
    }

    private static boolean isTooLarge(HostEntry entry) {
        return entry.size() > ChangeSet.DIGEST_LIMIT;
    }

    private static Node nodeOf(HostFolder folder, ByteString name, HostEntry entry) throws IOException {
        return switch (entry.kind()) {
            case FILE ->
                new Node.File(
                        entry.permissions(), entry.size(), isTooLarge(entry) ? "" : Digests.of(folder.read(name)));
            case LINK -> new Node.Link(folder.linkText(name));
            case FOLDER -> new Node.Folder(entry.permissions());
            case FIFO, SOCKET -> new Node.Special(entry.kind().name().toLowerCase(Locale.ROOT));
            case WHITEOUT, DEVICE -> new Node.Special("device");
        };
    }

    /// The host's `path` with everything in it.
    private void delete(RelativePath path, HostFolder parent, HostEntry entry) throws IOException {
        var before = nodeOf(parent, path.name(), entry);
        var conflict = entry.isFolder() ? Optional.<String>empty() : movedMeanwhile(entry);
        found.add(new Difference(new Change.Deleted(path, before), Optional.of(entry), conflict));
        if (entry.isFolder()) {
            deleteBelow(path);
        }
    }

    private void deleteBelow(RelativePath top) {
        var within = new ArrayDeque<RelativePath>(List.of(top));
        while (!within.isEmpty() && hasRoom()) {
            var path = within.pop();
            attempt(path, () -> deleteEntries(path, within));
        }
    }

    private void deleteEntries(RelativePath path, Deque<RelativePath> within) throws IOException {
        var folder = trees.hostFolder(path);
        if (folder.isEmpty()) {
            return;
        }
        try (var open = folder.get()) {
            for (ByteString name : namesOf(open)) {
                var at = path.child(name);
                var entry = open.look(name);
                if (entry.isPresent()) {
                    var change = new Change.Deleted(at, nodeOf(open, name, entry.get()));
                    var conflict = entry.get().isFolder() ? Optional.<String>empty() : movedMeanwhile(entry.get());
                    found.add(new Difference(change, entry, conflict));
                    if (entry.get().isFolder()) {
                        within.push(at);
                    }
                }
            }
        }
    }
}
