package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.session.Session;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A call that may be made, once. Whoever makes it settles it, whatever comes of it: only what [#settle] gives back
/// goes
/// on. Safe for all threads; what comes after the first settlement is not recorded again.
public final class Passed {
    private final Session session;
    private final DecisionId id;
    private final Action.McpCall call;
    private final ResultJudge results;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    Passed(Session session, DecisionId id, Action.McpCall call, ResultJudge results) {
        this.session = session;
        this.id = id;
        this.call = call;
        this.results = results;
    }

    public DecisionId id() {
        return id;
    }

    /// The result that goes on: what the server said, as far as the policy lets it, with what was done to it in
    /// `_meta`;
    /// or an error in its place.
    public JsonObject settle(JsonObject result) {
        var judged = results.judge(result);
        boolean isError = result.member("isError").orElse(null) instanceof JsonBoolean(boolean is) && is;
        var state = judged.withheld().isPresent() ? "withheld" : isError ? "error" : "done";
        var told = told(judged);
        if (!record(state, judged)) {
            return Decided.error(
                    "cagewright withheld the result: its end could not be written into the audit log", told);
        }
        return judged.withheld()
                .map(why -> Decided.error("cagewright withheld the result: " + why, told))
                .orElseGet(() -> Decided.in((JsonObject) judged.value(), told));
    }

    /// The same of an error by which the server answered.
    public RpcError settle(RpcError error) {
        var judged = results.judge(error.json());
        record("error", judged);
        var value =
                judged.value() instanceof JsonObject object && judged.withheld().isEmpty() ? object : JsonObject.EMPTY;
        return new RpcError(
                error.code(), value.text("message").orElse("the server's error was withheld"), value.member("data"));
    }

    /// There is no result and never will be.
    ///
    /// @param state one word for the record, e.g. `cancelled`, `died`, `timed-out`
    public void ended(String state) {
        record(state, Judged.nothing());
    }

    private JsonObject told(Judged judged) {
        var told = Json.object().put("id", id.value()).put("decision", "allow");
        judged.findings().tell(told);
        return told.build();
    }

    private boolean record(String state, Judged judged) {
        if (!isSettled.compareAndSet(false, true)) {
            return true;
        }
        var detail = Json.object().put("state", state).put("bytes", judged.bytes());
        judged.findings().tell(detail);
        judged.withheld().ifPresent(why -> detail.put("why", why));
        try {
            session.outcome(id, call, detail.build());
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
