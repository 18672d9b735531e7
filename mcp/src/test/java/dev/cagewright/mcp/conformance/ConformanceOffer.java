package dev.cagewright.mcp.conformance;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.door.Refusals;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/// What the official conformance suite expects to find in a server: its tools, prompts and resources, as `offer.json`
/// lists them. A `round` is what a client is asked at once; `echo` says its answers.
public final class ConformanceOffer implements Offer {
    /// The suite asks for some time between steps, milliseconds; official clients lose those that come with the answer.
    private static final long BETWEEN_STEPS = 50;

    private final JsonObject all;
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();

    public ConformanceOffer() throws IOException, JsonSyntaxException {
        try (var file = Objects.requireNonNull(ConformanceOffer.class.getResourceAsStream("offer.json"))) {
            all = (JsonObject) Json.parse(file.readAllBytes());
        }
    }

    @Override
    public JsonObject info() {
        return Json.object().put("name", "conformance").put("version", "1.0.0").build();
    }

    @Override
    public JsonObject capabilities() {
        return Json.object()
                .put("tools", Map.of("listChanged", true))
                .put("prompts", Map.of("listChanged", true))
                .put("resources", Map.of("subscribe", true))
                .put("logging", Map.of())
                .put("completions", Map.of())
                .build();
    }

    @Override
    public Optional<String> instructions() {
        return Optional.empty();
    }

    @Override
    public JsonObject answer(String method, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        return switch (method) {
            case "tools/list" -> definitions("tools");
            case "tools/call" -> call(found("tools", params), params, caller);
            case "prompts/list" -> definitions("prompts");
            case "prompts/get" -> prompt(found("prompts", params), params, caller);
            case "resources/list" -> resources();
            case "resources/templates/list" ->
                Json.object()
                        .put(
                                "resourceTemplates",
                                all.member("resourceTemplates").orElseThrow())
                        .build();
            case "resources/read" -> read(params);
            case "resources/subscribe", "resources/unsubscribe" -> JsonObject.EMPTY;
            case "completion/complete" ->
                Json.object()
                        .put("completion", Map.of("values", List.of("paris", "park"), "total", 2, "hasMore", false))
                        .build();
            default -> throw new RpcException(RpcError.METHOD_NOT_FOUND, "there is no method " + method);
        };
    }

    @Override
    public Optional<JsonObject> argumentsSchema(String tool) {
        return part("tools").members().get(tool) instanceof JsonObject one
                ? one.member("definition")
                        .map(JsonObject.class::cast)
                        .flatMap(definition -> definition.member("inputSchema"))
                        .map(JsonObject.class::cast)
                : Optional.empty();
    }

    private JsonObject part(String name) {
        return (JsonObject) all.member(name).orElseThrow();
    }

    private JsonObject definitions(String kind) {
        var list = new ArrayList<JsonValue>();
        part(kind)
                .members()
                .values()
                .forEach(one -> list.add(((JsonObject) one).member("definition").orElseThrow()));
        return Json.object().put(kind, list).build();
    }

    private JsonObject found(String kind, JsonObject params) throws RpcException {
        var name = params.text("name").orElse("");
        if (part(kind).members().get(name) instanceof JsonObject one) {
            return one;
        }
        throw new RpcException(RpcError.INVALID_PARAMS, "there is no " + name);
    }

    private JsonObject call(JsonObject tool, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        var needed = tool.text("needs");
        if (needed.isPresent() && caller.capabilities().member(needed.get()).isEmpty()) {
            var missing = Json.object().put(needed.get(), JsonObject.EMPTY).build();
            throw new RpcException(new RpcError(
                    Refusals.MISSING_CLIENT_CAPABILITY,
                    "this needs more of a client",
                    Optional.of(
                            Json.object().put("requiredCapabilities", missing).build())));
        }
        if (tool.member("waits").isPresent()) {
            var end = new CountDownLatch(1);
            caller.whenCancelled(end::countDown);
            end.await();
        }
        for (JsonValue line : items(tool, "lines")) {
            caller.log("info", "conformance", ((JsonString) line).value());
        }
        for (JsonValue step : items(tool, "steps")) {
            caller.progress(Double.parseDouble(((JsonNumber) step).text()), OptionalDouble.of(100), "");
            Thread.sleep(BETWEEN_STEPS);
        }
        tool.text("change").ifPresent(list -> listeners.forEach(one -> one.accept(Change.Lists.valueOf(list))));
        var answers = rounds(tool, params, caller);
        return tool.members().get("result") instanceof JsonObject result
                ? result
                : said(tool.text("echo").orElse("") + answers.write());
    }

    private static List<JsonValue> items(JsonObject of, String name) {
        return of.members().get(name) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    private static JsonObject rounds(JsonObject of, JsonObject params, Caller caller) throws InterruptedException {
        var answers = new LinkedHashMap<String, JsonValue>();
        for (JsonValue round : items(of, "rounds")) {
            var questions = new LinkedHashMap<String, Caller.Question>();
            ((JsonObject) round).members().forEach((name, asked) -> {
                var question = (JsonObject) asked;
                questions.put(
                        name,
                        new Caller.Question(
                                question.text("method").orElseThrow(),
                                filled((JsonObject) question.member("params").orElseThrow(), params)));
            });
            answers.putAll(caller.ask(questions));
        }
        return new JsonObject(answers);
    }

    /// `question` in the words of the client's own arguments, where it gave some.
    private static JsonObject filled(JsonObject question, JsonObject params) {
        var members = new LinkedHashMap<>(question.members());
        if (params.members().get("arguments") instanceof JsonObject arguments) {
            arguments.text("message").ifPresent(text -> members.put("message", new JsonString(text)));
        }
        return new JsonObject(members);
    }

    private static JsonObject said(String line) {
        return Json.object()
                .put("content", List.of(Map.of("type", "text", "text", line)))
                .build();
    }

    private static JsonObject prompt(JsonObject prompt, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        rounds(prompt, params, caller);
        var text = prompt.member("result").orElseThrow().write();
        if (params.members().get("arguments") instanceof JsonObject arguments) {
            for (String name : arguments.members().keySet()) {
                text = text.replace("{" + name + "}", arguments.text(name).orElse(""));
            }
        }
        try {
            return (JsonObject) Json.parse(text);
        } catch (JsonSyntaxException e) {
            throw new RpcException(RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
        }
    }

    private JsonObject resources() {
        var list = new ArrayList<JsonValue>();
        part("resources").members().forEach((uri, one) -> {
            var resource = (JsonObject) one;
            resource.text("name")
                    .ifPresent(name -> list.add(Json.object()
                            .put("uri", uri)
                            .put("name", name)
                            .put("description", resource.text("description").orElse(""))
                            .build()));
        });
        return Json.object().put("resources", list).build();
    }

    private JsonObject read(JsonObject params) throws RpcException {
        var uri = params.text("uri").orElse("");
        if (part("resources").members().get(uri) instanceof JsonObject one) {
            return Json.object()
                    .put("contents", List.of(one.member("contents").orElseThrow()))
                    .build();
        }
        throw new RpcException(new RpcError(
                RpcError.INVALID_PARAMS,
                "there is no such resource",
                Optional.of(Json.object().put("uri", uri).build())));
    }

    @Override
    public Listening listen(Consumer<Change> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }
}
