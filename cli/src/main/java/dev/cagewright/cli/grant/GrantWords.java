package dev.cagewright.cli.grant;

import dev.cagewright.policy.decision.DecisionId;
import java.util.List;

/// The grant that one or two words name: its id, or its session and its id.
final class GrantWords {
    static final String HELP = "A grant's id, as cagewright grants list shows it; its session may stand before it.";

    private GrantWords() {}

    /// @throws IllegalArgumentException if it is none, or of another session
    static DecisionId id(List<String> words) {
        var id = new DecisionId(words.getLast());
        boolean isOfSession = words.size() < 2
                || words.getFirst().equals("last")
                || id.session().startsWith(words.getFirst());
        if (words.size() > 2 || !isOfSession) {
            throw new IllegalArgumentException(
                    "grant: " + String.join(" ", words) + " (expected: ID, or the SESSION that it is of and the ID)");
        }
        return id;
    }
}
