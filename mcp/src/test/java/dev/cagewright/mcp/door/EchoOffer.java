package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// A small server for tests: what its tools do stands in [#call].
public final class EchoOffer implements Offer {
    /// Names of what was cancelled, as it happens.
    public final LinkedBlockingQueue<String> cancelled = new LinkedBlockingQueue<>();

    /// Opens for all that `hold`.
    public final CountDownLatch gate = new CountDownLatch(1);

    /// How many calls stand at the gate.
    public final LinkedBlockingQueue<String> held = new LinkedBlockingQueue<>();

    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

    /// With its gate shut.
    public EchoOffer() {}

    @Override
    public JsonObject info() {
        return Json.object()
                .put("name", "echo")
                .put("version", "1.0.0")
                .put("title", "Echo")
                .put("websiteUrl", "https://echo.test")
                .build();
    }

    @Override
    public JsonObject capabilities() {
        return Json.object()
                .put("tools", Map.of("listChanged", true))
                .put("resources", Map.of("subscribe", true))
                .put("logging", Map.of())
                .put("completions", Map.of())
                .build();
    }

    @Override
    public Optional<String> instructions() {
        return Optional.of("Say it twice.");
    }

    @Override
    public JsonObject answer(String method, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        return switch (method) {
            case "tools/list" -> tools();
            case "tools/call" -> call(params, caller);
            case "resources/subscribe", "resources/unsubscribe" -> JsonObject.EMPTY;
            case "params" -> Json.object().put("params", params).build();
            default -> throw new RpcException(RpcError.METHOD_NOT_FOUND, "no " + method);
        };
    }

    private static JsonObject tools() {
        var schema = Json.object().put("type", "object").build();
        return Json.object()
                .put(
                        "tools",
                        List.of(Json.object()
                                .put("name", "echo")
                                .put("title", "Echo")
                                .put("description", "Says it again.")
                                .put("inputSchema", schema)
                                .put("outputSchema", schema)
                                .put("annotations", Map.of("readOnlyHint", true))
                                .put("icons", List.of())
                                .build()))
                .build();
    }

    private JsonObject call(JsonObject params, Caller caller) throws RpcException, InterruptedException {
        var arguments = params.member("arguments").orElse(JsonObject.EMPTY);
        var name = params.text("name").orElse("");
        return switch (name) {
            case "echo" -> said(arguments);
            case "hold" -> hold(caller, arguments);
            case "sleep" -> {
                caller.whenCancelled(() -> cancelled.add(arguments.write()));
                new CountDownLatch(1).await();
                yield said(arguments);
            }
            case "throw" -> throw new IllegalStateException("a secret that no client is told");
            case "overflow" -> overflow(arguments, 0);
            case "deep" -> deep();
            case "big" -> said(Json.of("x".repeat(40 << 20)));
            case "steps" -> steps(caller);
            case "lines" -> lines(caller);
            case "ask" ->
                said(Json.of(caller.elicit(
                                "Who?", Json.object().put("type", "object").build())
                        .map(JsonObject::write)
                        .orElse("nobody")));
            case "rich" -> rich();
            default -> throw new RpcException(RpcError.INVALID_PARAMS, "no tool " + name);
        };
    }

    private JsonObject hold(Caller caller, JsonValue arguments) throws InterruptedException {
        caller.whenCancelled(() -> cancelled.add(arguments.write()));
        held.add(arguments.write());
        gate.await();
        return said(arguments);
    }

    private static JsonObject overflow(JsonValue value, int depth) {
        return depth < 0 ? said(value) : overflow(Json.of(List.of(value)), depth + 1);
    }

    private static JsonObject deep() {
        var value = Json.of("end");
        for (int i = 0; i < 100; i++) {
            value = Json.of(List.of(value));
        }
        return said(value);
    }

    private static JsonObject steps(Caller caller) {
        for (int i = 1; i <= 3; i++) {
            caller.progress(i, OptionalDouble.of(3), "step " + i);
        }
        caller.progress(2, OptionalDouble.empty(), "back");
        caller.progress(3.5, OptionalDouble.empty(), "more");
        return said(Json.of("done"));
    }

    private static JsonObject lines(Caller caller) {
        caller.log("debug", "echo", "a detail");
        caller.log("info", "echo", "a line");
        caller.log("error", "echo", "a fault");
        return said(Json.of("done"));
    }

    private static JsonObject rich() {
        return Json.object()
                .put(
                        "content",
                        List.of(
                                Map.of("type", "audio", "data", "AAAA", "mimeType", "audio/wav"),
                                Map.of("type", "resource_link", "uri", "test://link", "name", "link")))
                .put("structuredContent", Map.of("n", JsonNumber.of(1)))
                .build();
    }

    private static JsonObject said(JsonValue value) {
        var text = Json.object().put("type", "text").put("text", value.write()).build();
        return Json.object().put("content", List.of(text)).build();
    }

    @Override
    public Listening listen(Consumer<Change> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }

    /// Tells all who listen.
    public void tell(Change change) {
        listeners.forEach(one -> one.accept(change));
    }

    public int listening() {
        return listeners.size();
    }
}
