package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Charge;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.layers.EffectivePolicy.LayeredTool;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.supervisor.schema.BadSchemaException;
import dev.cagewright.supervisor.schema.JsonSchema;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Judges calls of tools in one session: nothing of a server is called that did not pass here. Safe for all threads; a
/// call may wait for a person.
public final class CallJudge {
    /// The largest arguments, as JSON in bytes.
    public static final int MOST_ARGUMENTS = 4 << 20;

    private static final RuleId NAME = new RuleId("mcp:name");
    private static final RuleId SIZE = new RuleId("mcp:arguments");
    private static final RuleId SECRET = new RuleId("mcp:secret");
    private static final RuleId OWN_SCHEMA = new RuleId("mcp:input-schema");

    /// Of servers' schemas, so many are remembered.
    private static final int MOST_SCHEMAS = 4_096;

    private final Session session;
    private final PolicyInForce policy;
    private final ArgumentActions actions;
    private final ResultJudge results;
    private final JudgeGround ground;
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

    /// @param session its gate decides and its log keeps everything
    /// @param policy of the server's cage, for the words
    /// @param ground where the server works, and what must not come out of it
    public CallJudge(Session session, PolicyInForce policy, JudgeGround ground) {
        this.session = session;
        this.policy = policy;
        this.ground = ground;
        this.actions = new ArgumentActions(ground.here());
        this.results = new ResultJudge(policy.effective().mcpResults(), ground);
    }

    /// What the results of this session's servers are looked at with; everything else that a server says, too.
    public ResultJudge results() {
        return results;
    }

    /// Lets a call through, or refuses it. Durable in the log when it returns.
    ///
    /// @param server the name by which the policy knows it
    /// @param tool as the server says its name
    /// @throws CallRefusedException with the result by which the caller is told
    public Passed pass(String server, String tool, JsonObject arguments) throws CallRefusedException {
        return pass(server, tool, arguments, Optional.empty());
    }

    /// The same of a tool whose schema is known, which arguments have to fit besides.
    ///
    /// @param inputSchema as the server says it; nothing that it refers to is fetched, and one that cannot be used
    ///     says nothing
    public Passed pass(String server, String tool, JsonObject arguments, Optional<JsonObject> inputSchema)
            throws CallRefusedException {
        var call = new Action.McpCall(server, tool);
        try {
            requireSane(call, arguments);
            if (session.gate().judge(call) instanceof Decision.Deny) {
                session.gate().pass(call).spend();
            }
            for (LayeredTool entry : policy.effective().toolRules(server, tool)) {
                requireFit(call, arguments, entry);
            }
            requireOwnSchema(call, arguments, inputSchema);
            var warrant = session.gate().pass(call, Charge.NOTHING, new CallExhibit(call, arguments));
            warrant.spend();
            return new Passed(session, warrant.id(), call, results);
        } catch (DeniedException e) {
            throw new CallRefusedException(policy.report(e));
        }
    }

    private void requireSane(Action.McpCall call, JsonObject arguments) throws DeniedException {
        if (!NamePattern.isName(call.server()) || !NamePattern.isName(call.tool())) {
            throw refusal(call, NAME, "the tool's name is empty, too long, or has characters that cannot be seen");
        }
        int size = arguments.bytes().length;
        if (size > MOST_ARGUMENTS) {
            throw refusal(call, SIZE, "the arguments are " + size + " bytes, more than " + MOST_ARGUMENTS);
        }
        var secrets = ground.secretsIn(arguments);
        if (!secrets.isEmpty()) {
            throw refusal(
                    call,
                    SECRET,
                    "the arguments hold the value of a secret, and none goes into a cage: " + String.join(", ", secrets)
                            + " (what stands for it there is in the server's environment)");
        }
    }

    private DeniedException refusal(Action.McpCall call, RuleId rule, String why) {
        return session.gate().refuse(call, new Decision.Deny(rule, DenyCode.FORBIDDEN, why));
    }

    private void requireFit(Action.McpCall call, JsonObject arguments, LayeredTool entry) throws DeniedException {
        var id = entry.named().id();
        var rule = entry.named().rule();
        var schema = rule.arguments().map(this::schema);
        var wrong = schema.flatMap(ready -> ready.violation(arguments));
        if (wrong.isPresent()) {
            throw refusal(call, new RuleId(id + ".arguments"), "the arguments do not fit: " + wrong.get());
        }
        try {
            for (ArgumentActions.Meant meant : actions.of(rule, arguments)) {
                require(call, meant);
            }
        } catch (OddArgumentException e) {
            throw refusal(call, id, "the argument " + e.getMessage());
        }
    }

    /// What an argument means is judged as what it is, and what is refused stands in the log as that.
    private void require(Action.McpCall call, ArgumentActions.Meant meant) throws DeniedException {
        if (session.gate().judge(meant.action()) instanceof Decision.Allow) {
            return;
        }
        try {
            session.gate().pass(meant.action()).spend();
        } catch (DeniedException e) {
            note(e, call, meant);
            throw e;
        }
    }

    /// A log that takes no note takes no intent either, and the denial stands.
    private void note(DeniedException denied, Action.McpCall call, ArgumentActions.Meant meant) {
        var detail = Json.object()
                .put("server", call.server())
                .put("tool", call.tool())
                .put("argument", meant.argument())
                .build();
        try {
            session.note(denied.id(), "mcp.argument", detail);
        } catch (IOException _) {
            return;
        }
    }

    private void requireOwnSchema(Action.McpCall call, JsonObject arguments, Optional<JsonObject> inputSchema)
            throws DeniedException {
        var wrong = inputSchema.flatMap(this::lenient).flatMap(schema -> schema.violation(arguments));
        if (wrong.isPresent()) {
            throw refusal(call, OWN_SCHEMA, "the arguments do not fit what the server itself asks for: " + wrong.get());
        }
    }

    /// The policy's own, which was read before.
    private JsonSchema schema(String text) {
        return schemas.computeIfAbsent(text, _ -> {
            try {
                return JsonSchema.of(Json.parse(text), JsonSchema.Reading.STRICT);
            } catch (JsonSyntaxException | BadSchemaException e) {
                throw new IllegalArgumentException("mcp.tools.arguments: " + e.getMessage(), e);
            }
        });
    }

    private Optional<JsonSchema> lenient(JsonValue schema) {
        var key = "own " + schema.write();
        var known = schemas.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            var read = JsonSchema.of(schema, JsonSchema.Reading.LENIENT);
            if (schemas.size() < MOST_SCHEMAS) {
                schemas.put(key, read);
            }
            return Optional.of(read);
        } catch (BadSchemaException _) {
            return Optional.empty();
        }
    }

    /// The entries of the policy that are about a tool, e.g. to say before a call what will be asked.
    public List<LayeredTool> entries(String server, String tool) {
        return policy.effective().toolRules(server, tool);
    }
}
