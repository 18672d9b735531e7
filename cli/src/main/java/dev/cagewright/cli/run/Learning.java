package dev.cagewright.cli.run;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.supervisor.observed.Lesson;
import dev.cagewright.supervisor.observed.PastDecision;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;

/// A run that learns what its policy lacks: hosts that no rule names are let through, and at the end one change of the
/// policy is shown.
sealed interface Learning {
    /// What was learned; empty for a run that learns nothing.
    Optional<Lesson> lesson();

    /// Is anything let through?
    boolean isOn();

    /// A run like any other.
    record Off() implements Learning {
        @Override
        public Optional<Lesson> lesson() {
            return Optional.empty();
        }

        @Override
        public boolean isOn() {
            return false;
        }
    }

    /// Of the session `id`.
    ///
    /// @param written the policy as its files have it
    record On(Console console, StateFolders folders, SessionId id, PolicyInForce written) implements Learning {
        /// Its log is read when the run is over; one that cannot be read is told.
        @Override
        public Optional<Lesson> lesson() {
            try {
                var record = new SessionStore(folders).find(id);
                return record.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Lesson.of(PastDecision.of(record.get()), written));
            } catch (IOException e) {
                console.say("nothing learned: " + Visible.text(String.valueOf(e.getMessage())));
                return Optional.empty();
            }
        }

        @Override
        public boolean isOn() {
            return true;
        }
    }

    /// Nothing is let through that a higher layer holds.
    ///
    /// @throws IllegalArgumentException naming the layer that does
    static PolicyInForce requireLetting(PolicyInForce policy) {
        var mode = policy.effective().mode();
        if (mode.value() != Mode.OBSERVE) {
            var file =
                    mode.origin().map(place -> Visible.text(place.toString())).orElse("a layer above");
            throw new IllegalArgumentException("--learn: mode: " + mode.value().word() + " holds (" + file
                    + "), so nothing may be let through (expected: a file there without mode:, or with mode: observe)");
        }
        return policy;
    }
}
