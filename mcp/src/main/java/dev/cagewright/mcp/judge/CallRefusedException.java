package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.session.DenialReport;
import java.util.List;

/// A call was refused. Carries the tool result by which the caller is told.
public final class CallRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient DenialReport report;

    CallRefusedException(DenialReport report) {
        super(report.why());
        this.report = report;
    }

    public DenialReport report() {
        return report;
    }

    /// A `tools/call` result that a model can read and go on from: `isError`, what, why and what would allow it, and
    /// the decision in `_meta`.
    public JsonObject result() {
        var lines = new StringBuilder("cagewright denied this: ").append(report.what());
        lines.append("\nwhy: ").append(report.why());
        lines.append("\nrule: ").append(String.join(", ", report.rules()));
        report.where().ifPresent(where -> lines.append("\nat: ").append(where));
        if (!report.wouldAllow().isEmpty()) {
            lines.append("\nwhat would allow it (only the person who owns the policy can do that):");
            report.wouldAllow().forEach(line -> lines.append("\n  ").append(line));
        }
        report.id().ifPresent(id -> lines.append("\nmore: cagewright why ").append(id));
        return Decided.error(lines.toString(), told());
    }

    private JsonObject told() {
        var told = Json.object();
        report.id().ifPresent(id -> told.put("id", id.value()));
        return told.put("decision", "deny")
                .put("rules", report.rules())
                .put("code", report.code())
                .put("why", report.why())
                .put("fix", List.copyOf(report.wouldAllow()))
                .build();
    }
}
