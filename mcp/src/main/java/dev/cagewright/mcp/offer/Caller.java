package dev.cagewright.mcp.offer;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// The client of one request, while the request is under way. Safe for all threads. What is told after the request is
/// over goes nowhere.
public interface Caller {
    /// Has `action` run once if the client takes its request back or goes away; at once if it has already.
    void whenCancelled(Runnable action);

    boolean isCancelled();

    /// Tells how far it is, if the client asked to be told. Values only rise; others are not sent.
    void progress(double done, OptionalDouble total, String what);

    /// Tells something that is worth a line, if the client wants lines of this level.
    ///
    /// @param level as RFC 5424 names it: `debug` to `emergency`
    void log(String level, String logger, String line);

    /// What the client says it can do: `elicitation`, `sampling`, `roots`, each with an object of its own.
    default JsonObject capabilities() {
        return JsonObject.EMPTY;
    }

    /// Asks the client all of `questions` at once, and waits.
    ///
    /// @param questions by names that tell them apart
    /// @return the answers by the same names; none to a question that the client cannot take or does not answer
    default Map<String, JsonObject> ask(Map<String, Question> questions) throws InterruptedException {
        return Map.of();
    }

    /// Asks the client for something that a server may ask for (`sampling/createMessage`, `roots/list`), where the
    /// client has said that it answers that. Nothing of it is judged here.
    ///
    /// @param params as the method has them, without `_meta`
    /// @return the client's result; empty where it cannot, will not, or has gone away
    default Optional<JsonObject> request(String method, JsonObject params) throws InterruptedException {
        return Optional.ofNullable(
                ask(Map.of("question", new Question(method, params))).get("question"));
    }

    /// Asks the person behind the client, where the client can (`elicitation`).
    ///
    /// @param message what the person reads
    /// @param schema flat, as the protocol wants it
    /// @return `action` and `content` as the client answers; empty where it cannot ask anybody, or will not
    default Optional<JsonObject> elicit(String message, JsonObject schema) throws InterruptedException {
        return request(
                "elicitation/create",
                Json.object()
                        .put("message", message)
                        .put("requestedSchema", schema)
                        .build());
    }

    /// What a server may ask of its client.
    ///
    /// @param method `elicitation/create`, `sampling/createMessage` or `roots/list`
    record Question(String method, JsonObject params) {}
}
