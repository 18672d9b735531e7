package dev.cagewright.cli.run;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.summary.RunSummary;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.receipt.issue.Receipts;
import dev.cagewright.supervisor.session.DenialReport;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Tells a program: one JSON object on standard output, whatever happened.
final class RunJson implements RunView {
    private final Console console;
    private final PolicyInForce policy;
    private final Learning learning;
    private final Optional<RunSummary> summary;
    private Optional<JsonObject> receipt = Optional.empty();
    private List<JsonObject> budgets = List.of();
    private Optional<JsonObject> setup = Optional.empty();

    /// @param summary what stands in the member `summary`; empty for none
    RunJson(Console console, PolicyInForce policy, Learning learning, Optional<RunSummary> summary) {
        this.console = console;
        this.policy = policy;
        this.learning = learning;
        this.summary = summary;
    }

    @Override
    public ExitCode judged(Action.ProcExec program, Decision decision) {
        var json = Json.object().put("dry_run", true);
        print(
                switch (decision) {
                    case Decision.Deny deny ->
                        json.put("decision", policy.report(program, deny).toJson())
                                .build();
                    case Decision.Allow allow ->
                        json.put("decision", decided("allow", allow)).build();
                    case Decision.Ask ask ->
                        json.put("decision", decided("ask", ask)).build();
                });
        return ExitCode.of(decision);
    }

    private static JsonObject decided(String word, Decision decision) {
        return Json.object()
                .put("decision", word)
                .put(
                        "rules",
                        decision.because().stream().map(rule -> rule.value()).toList())
                .build();
    }

    @Override
    public void denied(DeniedException denied) {
        var json = Json.object()
                .put("ran", false)
                .put("decision", policy.report(denied).toJson());
        receipt.ifPresent(told -> json.put("receipt", told));
        print(json.build());
    }

    @Override
    public void refused(DenialReport report) {
        print(Json.object().put("ran", false).put("decision", report.toJson()).build());
    }

    @Override
    public void starting(DecisionId id, Decision.Allow allowed, List<String> notices) {}

    @Override
    public void spent(List<Spent> all) {
        budgets = all.stream()
                .map(one -> Json.object()
                        .put("rule", one.rule())
                        .put("used", one.used())
                        .put("bound", one.rate().amount())
                        .put("per", one.rate().per().word())
                        .build())
                .toList();
    }

    @Override
    public void receipt(Receipts.Issue issue) {
        receipt = Optional.of(
                switch (issue) {
                    case Receipts.Issue.Missing(String why) ->
                        Json.object().put("missing", why).build();
                    case Receipts.Issue.Issued issued ->
                        Json.object()
                                .put("file", issued.file().toString())
                                .put("sha256", issued.sha256())
                                .put("key", issued.key().open().hex())
                                .put("logged", issued.unnamed().isEmpty())
                                .build();
                });
    }

    @Override
    public void ended(RunOutcome outcome, RunStreams streams, String unrecorded) {
        var json = result(outcome, streams);
        setup.ifPresent(before -> json.put("setup", before));
        receipt.ifPresent(told -> json.put("receipt", told));
        if (!budgets.isEmpty()) {
            json.put("budgets", budgets);
        }
        learning.lesson().ifPresent(lesson -> json.put("learned", lesson.toJson()));
        summary.flatMap(RunSummary::json).ifPresent(told -> json.put("summary", told));
        print(json.put("recorded", unrecorded.isEmpty()).build());
    }

    private static JsonObject.Builder result(RunOutcome outcome, RunStreams streams) {
        var json = Json.object()
                .put(
                        "decision",
                        Json.object()
                                .put("id", outcome.id().value())
                                .put("decision", "allow")
                                .build())
                .put("result", outcome.toJson());
        if (streams instanceof RunStreams.Kept(var _, ByteArrayOutputStream out, ByteArrayOutputStream err)) {
            json.put("stdout", text(out)).put("stderr", text(err));
        }
        return json;
    }

    @Override
    public RunStreams setupStreams() {
        return new RunStreams.Kept(Streams.Pipes.discarding().in());
    }

    @Override
    public void setUp(RunOutcome outcome, RunStreams streams) {
        setup = Optional.of(result(outcome, streams).build());
    }

    @Override
    public void notBegun(String why) {
        if (setup.isEmpty()) {
            return; // it was denied, and that has been told
        }
        var json = Json.object().put("ran", false).put("why", why).put("setup", setup.get());
        receipt.ifPresent(told -> json.put("receipt", told));
        print(json.build());
    }

    /// Text where it is UTF-8, else base64; a character that the output limit cut in two is left out.
    private static JsonValue text(ByteArrayOutputStream kept) {
        var bytes = ByteString.copyOf(kept.toByteArray());
        return bytes.utf8()
                .<JsonValue>map(JsonString::new)
                .orElseGet(() -> Json.object()
                        .put("base64", Base64.getEncoder().encodeToString(bytes.toByteArray()))
                        .build());
    }

    private void print(JsonObject json) {
        console.out().println(json.write());
    }
}
