package dev.cagewright.egress;

import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;

/// Where the gateway tells how things ended.
public interface Chronicle {
    /// An allowed request or connection is over. Does not wait: `kept` is told once, on any thread, and does not wait
    /// either.
    void ended(DecisionId id, Action action, Traffic traffic, Kept kept);

    /// Hears what became of an end that was told.
    interface Kept {
        void kept();

        /// It may not survive a crash.
        void lost();
    }

    /// A connection was refused before there was an action to judge. May wait.
    ///
    /// @throws IOException if that may not survive a crash
    void refused(Refused refused) throws IOException;

    /// An inspector saw something in an allowed request.
    ///
    /// @throws IOException if that may not survive a crash
    void found(DecisionId id, Finding finding) throws IOException;

    /// A connection that came to nothing.
    ///
    /// @param target the name or address that was dialled
    /// @param why one sentence
    record Refused(String target, int port, String why) {}
}
