package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFile;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.HostFolder.Move;
import dev.cagewright.sandbox.files.HostFolder.Removal;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Node;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Carries single steps out. At any moment a name of the host stands for what it stood for or for the whole new
/// thing, and what the host had is removed only after it was looked at in a place where nobody else reaches for it.
/// For one thread.
final class HostWriter {
    private static final int PERMISSIONS = 0777;
    private static final int SET_ID = 07000;

    private final CopyTrees trees;
    private final ApplyJournal journal;
    private final Moments moments;
    private final List<String> notes = new ArrayList<>();
    private final List<Change.Added> newFolders = new ArrayList<>();

    HostWriter(CopyTrees trees, ApplyJournal journal, Moments moments) {
        this.trees = trees;
        this.journal = journal;
        this.moments = moments;
    }

    /// Hears of the moments between two changes of the host, for tests that end there.
    @FunctionalInterface
    interface Moments {
        void passed(String moment);
    }

    /// The host is not as it was when the step was planned; nothing was changed.
    static final class ChangedMeanwhileException extends Exception {
        private static final long serialVersionUID = 1;

        ChangedMeanwhileException(String sentence) {
            super(sentence);
        }
    }

    /// What happened beside what was asked for.
    List<String> notes() {
        return notes;
    }

    void carryOut(Step step) throws IOException, ChangedMeanwhileException {
        var host = step.difference().host();
        switch (step.difference().change()) {
            case Change.Added added when added.after() instanceof Node.Folder -> makeFolder(added);
            case Change.Added(var path, var after) -> put(path, after, Optional.empty());
            case Change.Modified(var path, var _, var after) -> put(path, after, host);
            case Change.ModeChanged(var path, var _, var after) -> permit(path, after, host.orElseThrow());
            case Change.Deleted(var path, Node.Folder _) -> dropFolder(path);
            case Change.Deleted(var path, var _) -> drop(path, host.orElseThrow());
        }
    }

    private HostFolder parent(RelativePath path) throws IOException, ChangedMeanwhileException {
        return trees.host()
                .folder(path.parent().bytes())
                .orElseThrow(() -> new ChangedMeanwhileException("its directory is not there"));
    }

    private void makeFolder(Change.Added added) throws IOException, ChangedMeanwhileException {
        var name = added.path().name();
        try (var folder = parent(added.path())) {
            var there = folder.look(name);
            if (there.isPresent() && !there.get().isFolder()) {
                throw new ChangedMeanwhileException("the host has something else there by now");
            }
            if (there.isEmpty()) {
                folder.makeFolder(name);
                give(folder, name);
                folder.flush();
                moments.passed("folder made");
                newFolders.add(added);
            }
        }
    }

    /// New directories get their permissions when what is in them is there, the innermost first.
    void dressFolders() throws IOException, ChangedMeanwhileException {
        for (Change.Added added : newFolders.reversed()) {
            if (added.after() instanceof Node.Folder(int mode)) {
                try (var folder = parent(added.path())) {
                    folder.permit(added.path().name(), kept(added.path(), mode));
                }
            }
        }
    }

    private void permit(RelativePath path, Node after, HostEntry expected)
            throws IOException, ChangedMeanwhileException {
        try (var folder = parent(path)) {
            var now = requireStill(folder, path.name(), expected, Sameness.of(after));
            switch (after) {
                case Node.File(int mode, var _, var _) -> folder.permit(path.name(), kept(path, mode));
                case Node.Folder(int mode) ->
                    folder.permit(path.name(), kept(path, mode) | (now.permissions() & SET_ID));
                case Node.Link _, Node.Special _ ->
                    throw new IllegalStateException("mode of a link: " + path + " (expected: a file or directory)");
            }
        }
    }

    /// What of an object has to be as it was.
    private enum Sameness {
        OBJECT,
        BYTES;

        static Sameness of(Node node) {
            return node instanceof Node.Folder ? OBJECT : BYTES;
        }
    }

    private static HostEntry requireStill(HostFolder folder, ByteString name, HostEntry expected, Sameness same)
            throws IOException, ChangedMeanwhileException {
        var now = folder.look(name);
        boolean fits = now.isPresent()
                && (same == Sameness.OBJECT
                        ? now.get().identity().equals(expected.identity())
                        : now.get().isStill(expected));
        if (!fits) {
            throw new ChangedMeanwhileException("the host changed it just now");
        }
        return now.get();
    }

    private int kept(RelativePath path, int mode) {
        if ((mode & SET_ID) != 0) {
            notes.add(path + ": set-id and sticky bits were left out");
        }
        return mode & PERMISSIONS;
    }

    private void put(RelativePath path, Node after, Optional<HostEntry> expected)
            throws IOException, ChangedMeanwhileException {
        var aside = journal.aside(path);
        try (var folder = parent(path)) {
            if (expected.isPresent()) {
                requireStill(folder, path.name(), expected.get(), Sameness.BYTES);
            } else if (folder.look(path.name()).isPresent()) {
                throw new ChangedMeanwhileException("the host has something there by now");
            }
            make(path, after, folder, expected);
            moments.passed("written aside");
            publish(new Place(folder, path.name(), aside), expected);
        }
    }

    private record Place(HostFolder folder, ByteString name, ByteString aside) {}

    private void make(RelativePath path, Node after, HostFolder folder, Optional<HostEntry> expected)
            throws IOException {
        var aside = journal.aside(path);
        try {
            switch (after) {
                case Node.File file -> makeFile(path, file, folder, expected);
                case Node.Link(var text) -> {
                    folder.makeLink(aside, text);
                    give(folder, aside);
                }
                case Node.Folder _, Node.Special _ ->
                    throw new IllegalStateException("put: " + path + " (expected: a file or a link)");
            }
        } catch (IOException e) {
            removeOwn(folder, aside);
            throw e;
        }
    }

    private static void removeOwn(HostFolder folder, ByteString aside) throws IOException {
        if (folder.look(aside).filter(entry -> !entry.isFolder()).isPresent()) {
            folder.remove(aside);
        }
    }

    private void makeFile(RelativePath path, Node.File after, HostFolder folder, Optional<HostEntry> expected)
            throws IOException {
        var digest = sha256();
        try (var from = upper(path.parent());
                var source = from.readOwn(path.name());
                var target = folder.create(journal.aside(path))) {
            moments.passed("created aside");
            target.copyFrom(source, (bytes, count) -> digest.update(bytes, 0, count));
            if (!HexFormat.of().formatHex(digest.digest()).equals(after.sha256())) {
                throw new IOException("the copy changed while it was brought over (expected: a session that is over)");
            }
            give(
                    target,
                    expected.isPresent()
                            ? expected.get().identity()
                            : folder.self().identity());
            target.dress(kept(path, after.mode()), source.look().modified());
            target.flush();
        }
        expected.filter(old -> old.names() > 1)
                .ifPresent(old -> notes.add(path + ": had " + old.names() + " names; the others keep what they had"));
    }

    private HostFolder upper(RelativePath path) throws IOException {
        return trees.upper()
                .ownFolder(path.bytes())
                .orElseThrow(() -> new IOException(path + ": is gone from the copy"));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    /// Root writes for the directory's owner; anybody else owns what they write.
    private static void give(HostFile file, HostEntry.Identity owner) throws IOException {
        var now = file.look().identity();
        if (now.owner() != owner.owner() || now.group() != owner.group()) {
            try {
                file.give(owner);
            } catch (IOException _) {
                return; // not permitted: it stays with whoever writes it
            }
        }
    }

    private static void give(HostFolder folder, ByteString name) throws IOException {
        var owner = folder.self().identity();
        var now = folder.look(name).map(HostEntry::identity);
        if (now.isPresent() && (now.get().owner() != owner.owner() || now.get().group() != owner.group())) {
            try {
                folder.give(name, owner);
            } catch (IOException _) {
                return; // as above
            }
        }
    }

    private void publish(Place place, Optional<HostEntry> expected) throws IOException, ChangedMeanwhileException {
        if (expected.isEmpty()) {
            publishNew(place);
        } else {
            publishInstead(place, expected.get());
        }
        place.folder.flush();
    }

    private void publishNew(Place place) throws IOException, ChangedMeanwhileException {
        var move = place.folder.moveTo(place.aside, place.folder, place.name);
        if (move == Move.UNSUPPORTED && place.folder.look(place.name).isEmpty()) {
            move = place.folder.replace(place.aside, place.name);
        }
        if (move != Move.DONE) {
            removeOwn(place.folder, place.aside);
            throw new ChangedMeanwhileException("the host has something there by now");
        }
        moments.passed("in its place");
    }

    private void publishInstead(Place place, HostEntry expected) throws IOException, ChangedMeanwhileException {
        var move = place.folder.exchange(place.aside, place.name);
        if (move == Move.UNSUPPORTED) {
            requireStill(place.folder, place.name, expected, Sameness.BYTES);
            move = place.folder.replace(place.aside, place.name);
            moments.passed("in its place");
            return;
        }
        if (move != Move.DONE) {
            removeOwn(place.folder, place.aside);
            throw new ChangedMeanwhileException("the host removed it just now");
        }
        moments.passed("exchanged");
        var old = place.folder.look(place.aside);
        if (old.isEmpty() || !old.get().isStill(expected)) {
            backOut(place);
            throw new ChangedMeanwhileException("the host changed it just now");
        }
        place.folder.remove(place.aside);
        moments.passed("old one removed");
    }

    /// Puts back what the host had in the meantime.
    private static void backOut(Place place) throws IOException {
        if (place.folder.exchange(place.aside, place.name) == Move.DONE) {
            removeOwn(place.folder, place.aside);
        }
    }

    private void drop(RelativePath path, HostEntry expected) throws IOException, ChangedMeanwhileException {
        var aside = journal.aside(path);
        try (var folder = parent(path)) {
            requireStill(folder, path.name(), expected, Sameness.BYTES);
            var move = folder.moveTo(path.name(), folder, aside);
            if (move == Move.UNSUPPORTED) {
                folder.remove(path.name());
            } else if (move == Move.DONE) {
                moments.passed("moved aside");
                var old = folder.look(aside);
                if (old.isEmpty() || !old.get().isStill(expected)) {
                    folder.moveTo(aside, folder, path.name());
                    throw new ChangedMeanwhileException("the host changed it just now");
                }
                folder.remove(aside);
            } else {
                throw new ChangedMeanwhileException("the host moved it just now");
            }
            moments.passed("removed");
            folder.flush();
        }
    }

    private void dropFolder(RelativePath path) throws IOException, ChangedMeanwhileException {
        try (var folder = parent(path)) {
            if (folder.removeFolder(path.name()) == Removal.NOT_EMPTY) {
                throw new ChangedMeanwhileException("is not empty: it holds what was kept or is new on the host");
            }
            moments.passed("folder removed");
            folder.flush();
        }
    }
}
