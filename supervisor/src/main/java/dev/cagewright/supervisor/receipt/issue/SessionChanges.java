package dev.cagewright.supervisor.receipt.issue;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.receipt.Bounded;
import dev.cagewright.supervisor.receipt.ChangedFile;
import dev.cagewright.supervisor.receipt.ChangesStated;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a session changed in its copies, as a receipt states it. The whole list is kept in the session's folder.
final class SessionChanges {
    /// The longest list, bytes.
    private static final int LARGEST = ChangesStated.MAX_LIST;

    /// The most bytes of the list that a receipt itself has.
    private static final int SHOWN = 1 << 20;

    private final ByteArrayOutputStream list = new ByteArrayOutputStream();
    private final List<ChangedFile> shown = new ArrayList<>();
    private final List<String> missed = new ArrayList<>();
    private long count;

    private SessionChanges() {}

    /// @param folder the session's
    static ChangesStated of(Path folder) {
        try {
            var copies = SessionCopy.all(folder);
            if (copies.isEmpty()) {
                return ChangesStated.none("the run worked on no session copy");
            }
            var changes = new SessionChanges();
            for (SessionCopy copy : copies) {
                changes.add(copy);
            }
            return changes.stated(folder);
        } catch (IOException e) {
            return ChangesStated.none("the session copy could not be compared: " + e.getMessage());
        }
    }

    private ChangesStated stated(Path folder) throws IOException {
        var bytes = list.toByteArray();
        OwnerFile.write(ChangesStated.file(folder), bytes);
        return new ChangesStated("", count, Sha256.of(bytes), shown, Bounded.sentences(missed));
    }

    private void add(SessionCopy copy) throws IOException {
        var set = ChangeSet.of(copy);
        missed.addAll(set.missed());
        for (Change change : set.changes()) {
            add(file(copy.at().value(), change));
        }
    }

    private void add(ChangedFile file) throws IOException {
        var line = file.line();
        if (list.size() + line.length > LARGEST) {
            throw new IOException("its list of changes is longer than " + LARGEST + " bytes");
        }
        list.write(line, 0, line.length);
        count++;
        if (shown.size() < ChangesStated.MOST && list.size() <= SHOWN) {
            shown.add(file);
        }
    }

    private static ChangedFile file(String in, Change change) {
        return switch (change) {
            case Change.Added(var path, Node after) -> file(path, in, "added", Optional.empty(), Optional.of(after));
            case Change.Deleted(var path, Node before) ->
                file(path, in, "deleted", Optional.of(before), Optional.empty());
            case Change.Modified(var path, Node before, Node after) ->
                file(path, in, "modified", Optional.of(before), Optional.of(after));
            case Change.ModeChanged(var path, Node before, Node after) ->
                file(path, in, "mode", Optional.of(before), Optional.of(after));
        };
    }

    private static ChangedFile file(
            RelativePath path, String in, String word, Optional<Node> before, Optional<Node> after) {
        return new ChangedFile(
                ActionJson.bytes(path.bytes()),
                in,
                word,
                after.or(() -> before).map(SessionChanges::kind).orElseThrow(),
                after.map(SessionChanges::digest).orElse(""),
                before.map(SessionChanges::digest).orElse(""),
                after.map(SessionChanges::size).orElse(0L));
    }

    private static String kind(Node node) {
        return switch (node) {
            case Node.File _ -> ChangedFile.FILE;
            case Node.Link _ -> "link";
            case Node.Folder _ -> "directory";
            case Node.Special special -> special.word();
        };
    }

    /// Of a link, that of its text.
    private static String digest(Node node) {
        return switch (node) {
            case Node.File file -> file.sha256();
            case Node.Link link -> Sha256.of(link.text().toByteArray());
            case Node.Folder _, Node.Special _ -> "";
        };
    }

    private static long size(Node node) {
        return switch (node) {
            case Node.File file -> file.size();
            case Node.Link link -> link.text().size();
            case Node.Folder _, Node.Special _ -> 0;
        };
    }
}
