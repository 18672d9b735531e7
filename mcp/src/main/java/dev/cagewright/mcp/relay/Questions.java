package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Caller.Question;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a server asks its client for: as far as its policy lets it, and the client can. Answered at once where not.
/// Each
/// is on record.
///
/// @param server its name
record Questions(String server, Standing standing, Verdicts verdicts) {
    /// What may be asked, and what a client calls it that can.
    private static final Map<String, String> ABILITIES =
            Map.of("elicitation/create", "elicitation", "sampling/createMessage", "sampling", "roots/list", "roots");

    private static final int LONGEST = 64 << 10;

    /// What a server is told that its client can do.
    static JsonObject abilities(Verdicts verdicts) {
        var abilities = Json.object();
        for (String method : List.of("elicitation/create", "roots/list", "sampling/createMessage")) {
            if (verdicts.mayAsk(method)) {
                abilities.put(ABILITIES.getOrDefault(method, method), JsonObject.EMPTY);
            }
        }
        return abilities.build();
    }

    /// The same of one client: what it can do of what may be asked, in its own words.
    static JsonObject abilities(Verdicts verdicts, Caller caller) {
        var abilities = Json.object();
        abilities(verdicts)
                .members()
                .keySet()
                .forEach(name -> caller.capabilities().member(name).ifPresent(able -> abilities.put(name, able)));
        return abilities.build();
    }

    /// Asks all at once, or nothing: a server that may not ask one of them gets no answer to any.
    ///
    /// @throws RpcException if the answer is an error
    Map<String, JsonObject> asked(Map<String, Question> questions, Optional<Caller> caller)
            throws RpcException, InterruptedException {
        var passing = new LinkedHashMap<String, Question>();
        for (var one : questions.entrySet()) {
            passing.put(one.getKey(), passing(one.getValue(), caller));
        }
        var answers = caller.orElseThrow().ask(passing);
        for (var one : passing.entrySet()) {
            var answer = answers.get(one.getKey());
            if (answer == null) {
                throw refused(one.getValue().method(), "the client gave no answer");
            }
            requireFree(one.getValue().method(), answer);
            note(one.getValue().method(), "answered");
        }
        return answers;
    }

    private void requireFree(String method, JsonObject answer) throws RpcException {
        try {
            verdicts.requireFree(answer);
        } catch (RpcException e) {
            throw refused(method, e.error().message());
        }
    }

    /// The question as the client gets it.
    private Question passing(Question question, Optional<Caller> caller) throws RpcException {
        var method = question.method();
        var ability = ABILITIES.get(method);
        if (ability == null) {
            throw refused(method, "no client answers " + method);
        }
        if (!verdicts.mayAsk(method)) {
            throw refused(
                    method,
                    "the policy of this server does not let it ask its client for " + ability + " (mcp.requests."
                            + ability + ")");
        }
        if (caller.isEmpty()) {
            throw refused(method, "nobody waits for this server, so nobody can be asked");
        }
        if (caller.get().capabilities().member(ability).isEmpty()) {
            throw refused(method, "the client cannot be asked for " + ability);
        }
        if (question.params().bytes().length > LONGEST && !ability.equals("sampling")) {
            throw refused(method, "the question has more than " + LONGEST + " bytes");
        }
        var clean = verdicts.said(question.params()) instanceof JsonObject object ? object : JsonObject.EMPTY;
        return new Question(method, named(method, clean));
    }

    /// A person has to know who asks.
    private JsonObject named(String method, JsonObject params) {
        if (!method.equals("elicitation/create")) {
            return params;
        }
        var members = new LinkedHashMap<>(params.members());
        members.put(
                "message",
                new JsonString("[" + server + "] " + params.text("message").orElse("")));
        return new JsonObject(members);
    }

    private RpcException refused(String method, String why) {
        note(method, why);
        return new RpcException(RpcError.INVALID_REQUEST, why);
    }

    /// A log that takes no note takes no intent either, and then no call goes through.
    private void note(String method, String how) {
        try {
            standing.session()
                    .note(
                            "mcp.asked",
                            Json.object()
                                    .put("server", server)
                                    .put("method", method)
                                    .put("how", how)
                                    .build());
        } catch (IOException _) {
            return;
        }
    }
}
