package dev.cagewright.supervisor.recovery;

import dev.cagewright.audit.read.EventView;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.SessionRecord;
import java.time.temporal.ChronoUnit;

/// An allowed act whose end nobody recorded, because the supervisor was killed.
///
/// @param decision that allowed it
/// @param record of the session that it belonged to
/// @param verb what a person did to the session, `apply` or `discard`; empty for the run itself
public record Interruption(DecisionId decision, SessionRecord record, String verb) {
    private static final int LONGEST_COMMAND = 60;

    /// For a person: what, when, and where to read on. Printable text.
    public String sentence() {
        var words = record.command().isEmpty() ? "cage " + record.cage() : String.join(" ", record.command());
        var command = EventView.shorten(words, LONGEST_COMMAND);
        if (!verb.isEmpty()) {
            return "interrupted: " + verb + " of session " + record.id() + " (" + command
                    + ") did not come to its end: the same command again takes it up";
        }
        return "interrupted: " + command + " (started "
                + record.start().truncatedTo(ChronoUnit.SECONDS)
                + ") was killed with its supervisor; how far it came is not recorded: cagewright why " + decision;
    }
}
