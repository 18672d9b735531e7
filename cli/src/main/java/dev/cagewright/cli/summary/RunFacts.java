package dev.cagewright.cli.summary;

import dev.cagewright.cli.net.BudgetRows;
import dev.cagewright.cli.net.HostTraffic;
import dev.cagewright.supervisor.receipt.Decisions;
import dev.cagewright.supervisor.state.SessionRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What is known of a run. Texts are as the cage or the log gave them and need escaping.
///
/// @param reached the hosts that were reached, the busiest first
/// @param denied what was denied, the most frequent first
/// @param expected which of those are no surprise
/// @param files what it changed; empty if nothing is known of that
/// @param budgets what was used of each when the run ended
/// @param lent the secrets it was lent
/// @param receipt its file; empty if there is none
record RunFacts(
        SessionRecord session,
        List<HostTraffic> reached,
        List<DeniedGroup> denied,
        Expected expected,
        Optional<FilesChanged> files,
        Approvals approvals,
        BudgetRows budgets,
        List<Decisions.Lent> lent,
        Optional<Path> receipt) {
    RunFacts {
        reached = List.copyOf(reached);
        denied = List.copyOf(denied);
        lent = List.copyOf(lent);
    }

    /// What was denied and nobody expected.
    List<DeniedGroup> surprises() {
        return denied.stream()
                .filter(group -> expected.why(group.what()).isEmpty())
                .toList();
    }

    /// What people were asked for, counted.
    ///
    /// @param unanswered asked, and nobody answered in time
    /// @param unasked denied since nobody could be asked
    /// @param standing allowed by an answer from before
    record Approvals(int asked, int agreed, int refused, int unanswered, int unasked, int standing) {
        boolean isNone() {
            return asked + unasked + standing == 0;
        }

        /// Asked, and not settled yet.
        int waiting() {
            return Math.max(0, asked - agreed - refused - unanswered);
        }
    }
}
