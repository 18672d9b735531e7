package dev.cagewright.supervisor.recovery;

import dev.cagewright.audit.read.EventView;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.SessionRecord;
import java.time.temporal.ChronoUnit;

/// An allowed act whose end nobody recorded, because the supervisor was killed.
///
/// @param decision that allowed it
/// @param record of the session that it belonged to
public record Interruption(DecisionId decision, SessionRecord record) {
    private static final int LONGEST_COMMAND = 60;

    /// For a person: what, when, and where to read on. Printable text.
    public String sentence() {
        var command = EventView.shorten(String.join(" ", record.command()), LONGEST_COMMAND);
        return "interrupted: " + command + " (started "
                + record.start().truncatedTo(ChronoUnit.SECONDS)
                + ") was killed with its supervisor; how far it came is not recorded: cagewright why " + decision;
    }
}
