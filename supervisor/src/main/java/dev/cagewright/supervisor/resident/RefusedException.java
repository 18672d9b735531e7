package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.session.DenialReport;
import java.io.IOException;
import java.util.Optional;

/// The background supervisor does not do what it was asked. The message says what, why and what to do.
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;
    private final transient Optional<DenialReport> denial;

    /// @param code what the command ends with, docs/exit-codes.md
    RefusedException(String message, int code) {
        this(message, code, Optional.empty());
    }

    private RefusedException(String message, int code, Optional<DenialReport> denial) {
        super(message);
        this.code = code;
        this.denial = denial;
    }

    /// A rule denies it.
    static RefusedException denied(DenialReport report) {
        return new RefusedException(report.why(), Ends.DENIED, Optional.of(report));
    }

    public int code() {
        return code;
    }

    /// The rule's words, where one denied it.
    public Optional<DenialReport> denial() {
        return denial;
    }

    JsonObject toJson() {
        var json = Json.object().put("refused", String.valueOf(getMessage())).put("code", code);
        denial.ifPresent(report -> json.put("denial", report.toJson()));
        return json.build();
    }

    /// What an answer says instead of an answer; empty for a good one.
    static Optional<RefusedException> read(JsonObject answer) {
        return answer.text("refused")
                .map(why -> new RefusedException(
                        why,
                        answer.member("code").orElse(null) instanceof JsonNumber code
                                ? (int) code.asLong()
                                : Ends.FAILED,
                        answer.member("denial").orElse(null) instanceof JsonObject denial
                                ? Optional.of(DenialReport.read(denial))
                                : Optional.empty()));
    }
}
