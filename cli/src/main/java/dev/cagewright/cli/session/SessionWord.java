package dev.cagewright.cli.session;

import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The session that a word names: its id, the begin of an id that no other session has, or `last`.
public final class SessionWord {
    /// What help says of it.
    public static final String HELP = "A session's id as ls shows it, the begin of one, or last.";

    private static final String WHOLE = "[a-z2-7]{10}";

    private SessionWord() {}

    /// The id that a word means; what means none is left as it is, for whoever looks for it to refuse.
    ///
    /// @throws IllegalArgumentException if more than one session begins with it
    public static String id(StateFolders folders, String word) throws IOException {
        if (!word.equals("last") && !word.matches("[a-z2-7]{1,9}")) {
            return word;
        }
        return find(folders, word).map(one -> one.id().value()).orElse(word);
    }

    /// The session's record; empty if there is no such session.
    ///
    /// @throws IllegalArgumentException if the word is none, or more than one session begins with it
    public static Optional<SessionRecord> find(StateFolders folders, String word) throws IOException {
        var store = new SessionStore(folders);
        if (word.matches(WHOLE)) {
            return store.find(new SessionId(word));
        }
        var all = store.list((_, _) -> {});
        if (word.equals("last")) {
            return all.stream().findFirst();
        }
        if (!word.matches("[a-z2-7]{1,9}")) {
            throw new IllegalArgumentException(
                    "session: \"" + word + "\" (expected: an id, the begin of one, or last)");
        }
        List<SessionRecord> meant =
                all.stream().filter(one -> one.id().value().startsWith(word)).toList();
        if (meant.size() > 1) {
            throw new IllegalArgumentException("session: \"" + word + "\" begins " + meant.size()
                    + " sessions (expected: more of it, as ls shows it)");
        }
        return meant.stream().findFirst();
    }
}
