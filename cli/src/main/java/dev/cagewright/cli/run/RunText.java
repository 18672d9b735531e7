package dev.cagewright.cli.run;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.summary.RunSummary;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.engine.Rules;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tells a person, on standard error; standard output belongs to the program.
final class RunText implements RunView {
    /// Whether runs that go well are mentioned.
    enum Voice {
        NORMAL,
        QUIET
    }

    private final Console console;
    private final PolicyInForce policy;
    private final Voice voice;
    private final Learning learning;
    private final Optional<RunSummary> summary;

    /// @param summary what is told behind the last word; empty for none
    RunText(Console console, PolicyInForce policy, Voice voice, Learning learning, Optional<RunSummary> summary) {
        this.console = console;
        this.policy = policy;
        this.voice = voice;
        this.learning = learning;
        this.summary = voice == Voice.QUIET ? Optional.empty() : summary;
    }

    @Override
    public ExitCode judged(Action.ProcExec program, Decision decision) {
        switch (decision) {
            case Decision.Allow allow ->
                console.say("would be " + console.errPalette().good("allowed") + " " + rules(allow));
            case Decision.Ask ask ->
                console.say("would wait for approval (" + ask.because().getFirst() + ")");
            case Decision.Deny deny -> new DenialText(console).show("would be denied", policy.report(program, deny));
        }
        return ExitCode.of(decision);
    }

    private static String rules(Decision decision) {
        return decision.because().stream().map(RuleId::value).collect(Collectors.joining(", ", "(", ")"));
    }

    @Override
    public void denied(DeniedException denied) {
        new DenialText(console).show("denied", policy.report(denied));
    }

    @Override
    public void refused(DenialReport report) {
        new DenialText(console).show("denied", report);
    }

    @Override
    public void starting(DecisionId id, Decision.Allow allowed, List<String> notices) {
        if (voice == Voice.NORMAL || allowed.because().contains(Rules.UNISOLATED)) {
            console.say(console.errPalette().good("allowed") + " " + id + " " + rules(allowed));
        }
        if (learning.isOn()) {
            console.say("learning: hosts that no rule of the policy names are let through and recorded");
        }
        if (voice == Voice.NORMAL) {
            notices.forEach(notice -> console.more(ByteString.of(notice).printable()));
        }
    }

    @Override
    public void spent(List<Spent> budgets) {
        if (voice == Voice.NORMAL && summary.isEmpty()) {
            budgets.forEach(budget -> console.say(Visible.text(budget.toString())));
        }
    }

    @Override
    public void receipt(Receipts.Issue issue) {
        switch (issue) {
            case Receipts.Issue.Missing(String why) ->
                console.say(console.errPalette().bad("no receipt") + ": " + Visible.text(why));
            case Receipts.Issue.Issued issued -> {
                if (issued.key().isNew()) {
                    console.say("receipts are signed from now on; keep this public key elsewhere:");
                    console.more(issued.key().open().hex());
                }
                if (!issued.unnamed().isEmpty()) {
                    console.say(
                            console.errPalette().bad("receipt not in the log") + ": " + Visible.text(issued.unnamed()));
                }
            }
        }
    }

    @Override
    public void ended(RunOutcome outcome, RunStreams streams, String unrecorded) {
        over(outcome);
        if (!unrecorded.isEmpty()) {
            console.say(console.errPalette().bad("unrecorded") + ": " + unrecorded);
        }
        summary.ifPresent(RunSummary::tell);
        learning.lesson().ifPresent(lesson -> new LessonText(console).show(lesson));
    }

    private void over(RunOutcome outcome) {
        switch (outcome) {
            case RunOutcome.Ended ended -> summary(ended);
            case RunOutcome.NoProgram missing -> console.say(missing.reason());
            case RunOutcome.NoCage failed -> {
                console.say(console.errPalette().bad("no cage") + ": "
                        + ByteString.of(String.valueOf(failed.cause().getMessage()))
                                .printable());
                console.more("remedy: " + failed.cause().remedy());
            }
        }
    }

    @Override
    public RunStreams setupStreams() {
        if (voice == Voice.NORMAL) {
            policy.setup()
                    .ifPresent(setup -> console.say("set-up: " + Visible.text(String.join(" ", setup.command()))));
        }
        return RunStreams.Piped.toErrors();
    }

    @Override
    public void setUp(RunOutcome outcome, RunStreams streams) {
        over(outcome);
    }

    @Override
    public void notBegun(String why) {
        console.say(console.errPalette().bad("not begun") + ": " + Visible.text(why));
    }

    private void summary(RunOutcome.Ended ended) {
        var exit = ended.exit();
        ended.afterwards().forEach(found -> console.say(ByteString.of(found).printable()));
        if (!exit.detail().isEmpty() || exit.cause() != Exit.Cause.EXITED) {
            console.say(exit.cause().name().toLowerCase(Locale.ROOT) + ": " + exit.detail());
        }
        if (exit.output().truncated()) {
            console.say(
                    "output cut: " + (exit.output().outBytes() + exit.output().errBytes()) + " bytes were written");
        }
        if (voice == Voice.NORMAL) {
            gaps(ended.enforcement().gaps());
            int code = exit.cause() == Exit.Cause.TIMEOUT ? ExitCode.TIMEOUT.code() : exit.status();
            console.say("exit " + code + " in " + seconds(exit.usage().wall()) + " s, " + ended.id());
        }
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3)
                .setScale(2, RoundingMode.HALF_UP)
                .toPlainString();
    }

    /// One line a reason.
    private void gaps(List<Enforcement.Gap> gaps) {
        var byReason = new LinkedHashMap<String, List<String>>();
        gaps.forEach(gap ->
                byReason.computeIfAbsent(gap.reason(), _ -> new ArrayList<>()).add(gap.limit()));
        byReason.forEach((reason, limits) ->
                console.say("not enforced here: " + String.join(", ", limits) + " (" + reason + ")"));
    }
}
