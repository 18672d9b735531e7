package dev.cagewright.cli.policy;

import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.observed.PastDecision;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What sessions decided that a person names.
final class PastSessions {
    private PastSessions() {}

    /// Their decisions, a session after the other; empty, and told, if there is no such session.
    static Optional<List<PastDecision>> read(Console console, StateFolders folders, List<String> words)
            throws IOException {
        var decisions = new ArrayList<PastDecision>();
        for (String word : words) {
            var record = SessionWord.find(folders, word);
            if (record.isEmpty()) {
                console.say("no session " + Visible.text(word));
                return Optional.empty();
            }
            decisions.addAll(PastDecision.of(record.get()));
        }
        return Optional.of(decisions);
    }
}
