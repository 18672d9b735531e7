package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Caller.Question;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A server without a session: each request says what the server needs, and an answer may be a question instead, after
/// which the request is made again.
final class StatelessServing implements Guest.Serving {
    /// So often one request may be answered by questions.
    private static final int MOST_ROUNDS = 16;

    private static final int MOST_QUESTIONS = 16;

    /// What only this kind of version says.
    private static final Set<String> OWN = Set.of("resultType", "ttlMs", "cacheScope");

    private final Agreed agreed;
    private final Standing standing;
    private final Interview interview;
    private final Patience patience;
    private final Ears ears;
    private final Followed followed;

    StatelessServing(Agreed agreed, Standing standing, Interview interview, Patience patience, Ears ears) {
        this.agreed = agreed;
        this.standing = standing;
        this.interview = interview;
        this.patience = patience;
        this.ears = ears;
        this.followed = new Followed(interview, this::dressed);
    }

    @Override
    public Agreed agreed() {
        return agreed;
    }

    @Override
    public Standing standing() {
        return standing;
    }

    /// As a request that is nobody's own.
    private JsonObject dressed(JsonObject params) {
        return Opening.modern(params, GuestRun.Self.INFO, ears.abilities(standing));
    }

    @Override
    public JsonObject ask(String method, JsonObject params, Caller caller) throws RpcException, InterruptedException {
        return switch (method) {
            case "resources/subscribe" -> {
                followed.follow(params.text("uri").orElse(""));
                yield JsonObject.EMPTY;
            }
            case "resources/unsubscribe" -> {
                followed.leave(params.text("uri").orElse(""));
                yield JsonObject.EMPTY;
            }
            default -> answered(method, params, caller);
        };
    }

    private JsonObject answered(String method, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        // A list is kept for all clients, so it must not depend on what the first of them can do.
        var abilities = method.endsWith("/list") ? ears.abilities(standing) : ears.abilities(standing, caller);
        var asked = params;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            var found = interview.ask(
                    method, Opening.modern(logging(asked), GuestRun.Self.INFO, abilities), caller, patience);
            if (!found.text("resultType").orElse("complete").equals("input_required")) {
                return plain(found);
            }
            asked = again(params, found, caller);
        }
        throw new RpcException(RpcError.INTERNAL_ERROR, "the MCP server asks on and on instead of answering " + method);
    }

    private static JsonObject logging(JsonObject params) {
        return Meta.with(params, Meta.LOG_LEVEL, new JsonString("info"));
    }

    private JsonObject again(JsonObject params, JsonObject found, Caller caller)
            throws RpcException, InterruptedException {
        var members = new LinkedHashMap<>(params.members());
        if (found.member("inputRequests").orElse(JsonObject.EMPTY) instanceof JsonObject questions
                && !questions.members().isEmpty()) {
            members.put("inputResponses", answers(questions, caller));
        }
        found.text("requestState").ifPresent(state -> members.put("requestState", new JsonString(state)));
        return new JsonObject(members);
    }

    private JsonObject answers(JsonObject questions, Caller caller) throws RpcException, InterruptedException {
        if (questions.members().size() > MOST_QUESTIONS) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR, "the MCP server asks more than " + MOST_QUESTIONS + " things at once");
        }
        var asked = new LinkedHashMap<String, Question>();
        questions.members().forEach((name, value) -> asked.put(name, question(value)));
        var answers = Json.object();
        ears.asked(standing, asked, Optional.of(caller)).forEach(answers::put);
        return answers.build();
    }

    private static Question question(JsonValue value) {
        var question = value instanceof JsonObject object ? object : JsonObject.EMPTY;
        return new Question(
                question.text("method").orElse(""),
                question.member("params").orElse(JsonObject.EMPTY) instanceof JsonObject params
                        ? params
                        : JsonObject.EMPTY);
    }

    /// What was found, as a version with a session says it.
    private static JsonObject plain(JsonObject found) {
        var members = new LinkedHashMap<>(found.members());
        members.keySet().removeAll(OWN);
        var meta = new LinkedHashMap<>(Meta.of(found).members());
        if (meta.remove(Meta.SERVER_INFO) != null) {
            if (meta.isEmpty()) {
                members.remove(Meta.META);
            } else {
                members.put(Meta.META, new JsonObject(meta));
            }
        }
        return new JsonObject(members);
    }

    /// Has the server tell of changes, until its end.
    void listen() throws InterruptedException {
        var wanted = Json.object();
        for (var list : Map.of(
                        "tools",
                        "toolsListChanged",
                        "prompts",
                        "promptsListChanged",
                        "resources",
                        "resourcesListChanged")
                .entrySet()) {
            if (agreed.has(list.getKey())) {
                wanted.put(list.getValue(), /* value= */ true);
            }
        }
        var params = Json.object().put("notifications", wanted.build()).build();
        new Attention().keep(interview, dressed(params));
    }
}
