package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.supervisor.receipt.Product;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The product's own four tools over one session: every call passes its gate, and acts in its one cage. Whoever made it
/// ends it before the session. Safe for all threads.
public final class ToolsOffer implements Offer {
    /// So many calls are under way at once; one more is told to wait.
    public static final int MOST_CALLS = 64;

    /// What recording the ends of calls may take.
    private static final Duration RECORDING = Duration.ofSeconds(10);

    private final ToolGround ground;
    private final ClientAsker asker;
    private final CallCage cage;
    private final List<Tool> tools;
    private final Redaction secrets;
    private final JudgeGround judge;
    private final Semaphore free = new Semaphore(MOST_CALLS);

    /// @param asker one of the session's ways to a person
    public ToolsOffer(ToolGround ground, ClientAsker asker) {
        this.ground = ground;
        this.asker = asker;
        this.cage = new CallCage(ground);
        this.secrets = Redaction.of(Stream.concat(ground.secrets().held().stream(), ground.secrets().former().stream())
                .toList());
        this.judge = new JudgeGround(ground.here(), Optional.of(secrets), List.of());
        var files = new FileTool(ground, cage);
        this.tools = List.of(
                new RunCommand(ground, cage, asker),
                new ReadFile(files),
                new WriteFile(files),
                new HttpFetch(ground, cage, asker));
    }

    @Override
    public JsonObject info() {
        return Json.object()
                .put("name", "cagewright")
                .put("title", "Cagewright")
                .put("version", Product.own().version())
                .build();
    }

    @Override
    public JsonObject capabilities() {
        return Json.object()
                .put("tools", JsonObject.EMPTY)
                .put("logging", JsonObject.EMPTY)
                .build();
    }

    @Override
    public Optional<String> instructions() {
        var text = new StringBuilder("Everything here happens in a cage under the policy ")
                .append(ground.policy().name())
                .append(". The workspace is ")
                .append(ground.here())
                .append("; relative paths are below it.");
        ground.session()
                .terms()
                .allowlist()
                .ifPresent(programs -> text.append(" Programs that may run: ")
                        .append(String.join(", ", programs))
                        .append('.'));
        text.append(
                ground.session().terms().net().isOpen()
                        ? " The network is closed but for the hosts that the policy names."
                        : " There is no network.");
        return Optional.of(text.append(" A call that is denied says why, and what would allow it: that is the person's"
                        + " to decide.")
                .toString());
    }

    @Override
    public JsonObject answer(String method, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        return switch (method) {
            case "tools/list" -> list(params);
            case "tools/call" -> call(params, caller).json();
            default -> throw new RpcException(RpcError.METHOD_NOT_FOUND, method + " is not offered here");
        };
    }

    private JsonObject list(JsonObject params) throws RpcException {
        if (params.member("cursor").isPresent()) {
            throw new RpcException(RpcError.INVALID_PARAMS, "cursor: the list is one page, and has none");
        }
        var all = tools.stream().<JsonValue>map(Tool::definition).toList();
        return Json.object().put("tools", new JsonArray(all)).build();
    }

    /// Calls one tool.
    ///
    /// @param params `name` and `arguments`
    /// @throws RpcException if there is no such tool, or the arguments are no object
    public ToolAnswer call(JsonObject params, Caller caller) throws RpcException, InterruptedException {
        var name = params.text("name")
                .orElseThrow(() -> new RpcException(RpcError.INVALID_PARAMS, "name: has to be a tool's"));
        var tool = tools.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RpcException(
                        RpcError.INVALID_PARAMS,
                        "there is no tool " + new JsonString(name).brief() + " (expected: "
                                + String.join(
                                        ", ", tools.stream().map(Tool::name).toList()) + ")"));
        if (!(params.member("arguments").orElse(JsonObject.EMPTY) instanceof JsonObject arguments)) {
            throw new RpcException(RpcError.INVALID_PARAMS, "arguments: have to be an object");
        }
        if (!free.tryAcquire()) {
            return ToolAnswer.misunderstood(
                    MOST_CALLS + " calls are under way already (expected: one that ends first)");
        }
        var answer = new CompletableFuture<ToolAnswer>();
        Thread.ofVirtual().name("tool").start(() -> {
            try {
                answer.complete(placed(tool, arguments, caller));
            } catch (RuntimeException | StackOverflowError e) {
                answer.completeExceptionally(e);
            }
        });
        return awaited(answer);
    }

    /// A call has a thread of its own, which nobody interrupts: whatever becomes of whoever waits here, what was begun
    /// comes to its end on record.
    private static ToolAnswer awaited(CompletableFuture<ToolAnswer> answer) throws RpcException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new RpcException(RpcError.INTERNAL_ERROR, "the call failed: " + e.getCause());
        }
    }

    /// Leaves its place before anybody has the answer: whoever has it may call again.
    private ToolAnswer placed(Tool tool, JsonObject arguments, Caller caller) {
        try {
            return called(tool, arguments, caller);
        } finally {
            free.release();
        }
    }

    private ToolAnswer called(Tool tool, JsonObject arguments, Caller caller) {
        var call = new Call(caller, asker);
        try {
            requireFree(tool, arguments);
            return tool.call(Arguments.of(arguments, tool.arguments()), call);
        } catch (DeniedException denied) {
            return ToolAnswer.denied(ground.policy().report(denied));
        } catch (ConfinementException e) {
            return ToolAnswer.noCage(String.valueOf(e.getMessage()), e.remedy());
        } catch (IllegalArgumentException e) {
            return ToolAnswer.misunderstood(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return ToolAnswer.broken(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            return ToolAnswer.broken("the call was taken back");
        }
    }

    /// The value of a secret goes into the cage by no argument, nor out by one.
    private void requireFree(Tool tool, JsonObject arguments) throws DeniedException {
        var found = judge.secretsIn(arguments);
        if (!found.isEmpty()) {
            var why = "the arguments hold the value of a secret, and none goes into a cage: " + String.join(", ", found)
                    + " (http_fetch takes its name as credential)";
            throw ground.session()
                    .gate()
                    .refuse(
                            new Action.McpCall("cagewright", tool.name()),
                            new Decision.Deny(new RuleId("mcp:secret"), DenyCode.FORBIDDEN, why));
        }
    }

    /// What is offered never changes.
    @Override
    public Listening listen(Consumer<Change> changed) {
        return () -> {};
    }

    /// Takes the cage down, and whatever lives in it, and waits until calls that were under way are on record.
    ///
    /// @return what a person should hear of what was left, each one sentence
    public List<String> end() {
        var left = cage.end();
        boolean isQuiet = false;
        try {
            isQuiet = free.tryAcquire(MOST_CALLS, RECORDING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (isQuiet) {
            free.release(MOST_CALLS);
            secrets.close();
            return left;
        }
        var late = Stream.of("a call did not come to its end in time, and its outcome may not be on record");
        return Stream.concat(left.stream(), late).toList();
    }
}
