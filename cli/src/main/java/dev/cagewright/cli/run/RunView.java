package dev.cagewright.cli.run;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.RunOutcome;
import java.util.List;

/// What a person or a program is told about a run.
sealed interface RunView permits RunText, RunJson {
    /// A dry run's answer.
    ExitCode judged(Action.ProcExec program, Decision decision);

    /// Nothing ran.
    void denied(DeniedException denied);

    /// Nothing could even be decided.
    void refused(DenialReport report);

    /// It was allowed and is about to start.
    void starting(DecisionId id, Decision.Allow allowed, List<String> notices);

    /// Whether there is a receipt. Comes before the last word about the run.
    void receipt(Receipts.Issue issue);

    /// What is used of each budget. Comes before the last word about the run.
    void spent(List<Spent> budgets);

    /// It is over, or could not start.
    ///
    /// @param unrecorded why the outcome is not in the log; empty when it is
    void ended(RunOutcome outcome, RunStreams streams, String unrecorded);

    /// What the set-up reads and writes: it gets no input, and standard output is the program's.
    RunStreams setupStreams();

    /// The set-up is over, or could not start.
    void setUp(RunOutcome outcome, RunStreams streams);

    /// The run does not begin. Comes after [#receipt].
    ///
    /// @param why one sentence without a full stop
    void notBegun(String why);
}
