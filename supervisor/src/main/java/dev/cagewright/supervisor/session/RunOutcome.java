package dev.cagewright.supervisor.session;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.programs.ProgramNotFoundException.Kind;
import java.util.List;

/// How a request to run ended, once it was allowed.
public sealed interface RunOutcome {
    DecisionId id();

    /// As the audit log and `--json` write it.
    default JsonObject toJson() {
        return OutcomeJson.of(this);
    }

    /// What a person should hear about, each one sentence.
    List<String> notices();

    /// The program ran.
    ///
    /// @param afterwards what changed that the host would execute, each one sentence
    record Ended(DecisionId id, Exit exit, Enforcement enforcement, List<String> notices, List<String> afterwards)
            implements RunOutcome {
        public Ended {
            notices = List.copyOf(notices);
            afterwards = List.copyOf(afterwards);
        }
    }

    /// There is no such program in the cage, or it cannot be executed.
    record NoProgram(DecisionId id, Kind kind, String reason, List<String> notices) implements RunOutcome {
        public NoProgram {
            notices = List.copyOf(notices);
        }
    }

    /// The cage could not be built; nothing ran.
    record NoCage(DecisionId id, ConfinementException cause, List<String> notices) implements RunOutcome {
        public NoCage {
            notices = List.copyOf(notices);
        }
    }
}
