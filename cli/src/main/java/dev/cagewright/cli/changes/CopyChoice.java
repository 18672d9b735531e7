package dev.cagewright.cli.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The copies of one session that a command is about.
///
/// @param folder of the session
/// @param copies the workspace's first
record CopyChoice(SessionRecord record, Path folder, List<SessionCopy> copies) {
    CopyChoice {
        copies = List.copyOf(copies);
    }

    /// The session that `id` names.
    ///
    /// @throws NoCopyException if there is no such session, or it has no copy
    static CopyChoice of(StateFolders folders, String id) throws IOException, NoCopyException {
        var choice = ofEither(folders, id);
        if (choice.copies.isEmpty()) {
            throw new NoCopyException("session " + choice.record.id() + " has no copy: its policy mounts none"
                    + " (source: session-copy), or it was discarded");
        }
        return choice;
    }

    /// The session that `id` names, with a copy or without.
    ///
    /// @throws NoCopyException if there is no such session
    static CopyChoice ofEither(StateFolders folders, String id) throws IOException, NoCopyException {
        var session = new SessionId(id);
        var record = new SessionStore(folders)
                .find(session)
                .orElseThrow(() -> new NoCopyException("no session " + session + " (cagewright ls lists them)"));
        var folder = folders.sessions().resolve(session.value());
        return new CopyChoice(record, folder, SessionCopy.all(folder));
    }

    /// Which paths of which copy a person named; all of every copy for no words. A relative path is one of the first
    /// copy; an absolute one lies below where the workload saw a copy, or below the host's directory.
    ///
    /// @throws IllegalArgumentException if a path lies in no copy
    Map<SessionCopy, List<RelativePath>> paths(List<ByteString> words) {
        var chosen = new LinkedHashMap<SessionCopy, List<RelativePath>>();
        if (words.isEmpty()) {
            copies.forEach(copy -> chosen.put(copy, List.of(RelativePath.TOP)));
        }
        for (ByteString word : words) {
            var place = place(word);
            chosen.computeIfAbsent(place.copy, _ -> new ArrayList<>()).add(place.path);
        }
        return chosen;
    }

    private record Place(SessionCopy copy, RelativePath path) {}

    private Place place(ByteString word) {
        if (word.size() == 0 || word.at(0) != '/') {
            return new Place(copies.getFirst(), RelativePath.written(word));
        }
        for (SessionCopy copy : copies) {
            for (ByteString top : List.of(copy.lower(), ByteString.of(copy.at().value()))) {
                var prefix = top.latin1() + "/";
                if (word.latin1().startsWith(prefix)) {
                    var rest = word.toByteArray();
                    return new Place(
                            copy,
                            RelativePath.written(
                                    ByteString.copyOf(Arrays.copyOfRange(rest, prefix.length(), rest.length))));
                }
            }
        }
        throw new IllegalArgumentException(
                "path: " + word + " (expected: below " + copies.getFirst().lower() + ", or relative to it)");
    }
}
