package dev.cagewright.mcp.remote;

import dev.cagewright.supervisor.session.DenialReport;
import java.util.stream.Collectors;

/// A request did not come to the server: the policy or the gateway did not let it. The message says what, why and what
/// would.
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }

    static RefusedException of(DenialReport report) {
        var fix = report.wouldAllow().stream().map(String::strip).collect(Collectors.joining("; "));
        return new RefusedException("is not let be asked: " + report.what() + ": " + report.why()
                + report.id().map(id -> " (decision " + id + ")").orElse("")
                + (fix.isEmpty() ? "" : "; what would allow it: " + fix));
    }
}
