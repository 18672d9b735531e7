package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.judge.CallJudge;
import dev.cagewright.mcp.judge.CallRefusedException;
import dev.cagewright.mcp.judge.Passed;
import dev.cagewright.mcp.pin.Accepted;
import dev.cagewright.mcp.pin.PinBook;
import dev.cagewright.mcp.pin.PinKind;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.mcp.NamePattern;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Verdicts by the policy of a server and the gate of the session that its run has.
public final class Judgement implements Verdicts {
    /// Of what is held, so much is named on record.
    private static final int MOST_NAMED = 100;

    private final String server;
    private final Standing standing;
    private final CallJudge judge;
    private final Pins pins;
    private volatile JsonObject lastHeld = JsonObject.EMPTY;

    /// @param server the name by which the policy knows it
    /// @param first what becomes of its first definitions
    public Judgement(String server, Standing standing, Pins.First first) {
        this.server = server;
        this.standing = standing;
        this.judge = new CallJudge(standing.session(), standing.policy(), standing.ground());
        this.pins = new PinBook(standing.session().place().own().folders()).of(server, standing.program(), first);
    }

    @Override
    public boolean shows(String tool) {
        return NamePattern.isName(server)
                && NamePattern.isName(tool)
                && !(standing.session().gate().judge(new Action.McpCall(server, tool)) instanceof Decision.Deny);
    }

    @Override
    public JsonValue said(JsonValue said) throws RpcException {
        var judged = judge.results().judge(said);
        if (judged.withheld().isPresent()) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "cagewright withheld what the MCP server " + server + " said: "
                            + judged.withheld().get());
        }
        return judged.value();
    }

    @Override
    public void requireFree(JsonValue going) throws RpcException {
        var secrets = standing.ground().secretsIn(going);
        if (secrets.isEmpty()) {
            return;
        }
        var names = String.join(", ", secrets);
        try {
            standing.session()
                    .note(
                            "mcp.secret",
                            Json.object()
                                    .put("server", server)
                                    .put("secrets", names)
                                    .build());
        } catch (IOException _) {
            throw new RpcException(RpcError.INTERNAL_ERROR, "the audit log takes nothing, so nothing goes on");
        }
        throw new RpcException(
                RpcError.INVALID_PARAMS,
                "this holds the value of a secret, and none goes into the cage of the MCP server " + server + ": "
                        + names);
    }

    @Override
    public Accepted accepted(PinKind kind, List<JsonObject> definitions) throws RpcException {
        try {
            var accepted = pins.sort(kind, definitions);
            record(accepted);
            return accepted;
        } catch (IOException e) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR,
                    "what was accepted of the MCP server " + server + " cannot be told: " + e.getMessage());
        }
    }

    @Override
    public long version() {
        return pins.version();
    }

    private void record(Accepted accepted) throws IOException {
        if (accepted.held().isEmpty()) {
            return;
        }
        var held = accepted.held().stream()
                .limit(MOST_NAMED)
                .map(one -> Json.object()
                        .put("kind", one.kind().singular())
                        .put("name", one.name())
                        .put("reason", one.reason().words())
                        .build())
                .toList();
        var detail = Json.object().put("server", server).put("held", held).build();
        if (!detail.equals(lastHeld)) {
            standing.session().note("mcp.held", detail);
            lastHeld = detail;
        }
    }

    @Override
    public Call call(String tool, JsonObject arguments, Optional<JsonObject> schema) {
        try {
            return new Through(judge.pass(server, tool, arguments, schema));
        } catch (CallRefusedException refused) {
            return new Call.Refused(refused.result());
        }
    }

    private record Through(Passed call) implements Verdicts.Call.Admitted {
        @Override
        public JsonObject settled(JsonObject result) {
            return call.settle(result);
        }

        @Override
        public RpcError settled(RpcError error) {
            return call.settle(error);
        }

        @Override
        public void ended(String state) {
            call.ended(state);
        }
    }

    @Override
    public boolean mayAsk(String method) {
        var requests = standing.policy().effective().mcpRequests();
        return switch (method) {
            case "sampling/createMessage" -> requests.allowsSampling();
            case "elicitation/create" -> requests.allowsElicitation();
            case "roots/list" -> requests.allowsRoots();
            default -> false;
        };
    }
}
