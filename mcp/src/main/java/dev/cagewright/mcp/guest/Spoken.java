package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.Semaphore;

/// What one run of a server says of its own accord, brought to whom it concerns. A question is answered at once where
/// it
/// is none of the protocol's, and never held up by another. Safe for all threads.
final class Spoken implements Interview.Heard {
    private static final int MOST_QUESTIONS = 16;

    /// The name of a question that comes alone.
    private static final String ONE = "question";

    private static final Set<String> QUESTIONS = Set.of("sampling/createMessage", "elicitation/create", "roots/list");

    private final Ears ears;
    private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
    private volatile Optional<Interview> interview = Optional.empty();
    private volatile Optional<Standing> standing = Optional.empty();

    Spoken(Ears ears) {
        this.ears = ears;
    }

    /// Where answers go.
    void answersBy(Interview chosen) {
        interview = Optional.of(chosen);
    }

    /// Who is speaking.
    void of(Standing running) {
        standing = Optional.of(running);
    }

    @Override
    public void told(String method, JsonObject params) {
        switch (method) {
            case "notifications/progress" -> progress(params);
            case "notifications/subscriptions/acknowledged" -> acknowledged(params);
            case "notifications/message" -> log(params);
            case "notifications/tools/list_changed" -> ears.changed(Change.Lists.TOOLS);
            case "notifications/resources/list_changed" -> ears.changed(Change.Lists.RESOURCES);
            case "notifications/prompts/list_changed" -> ears.changed(Change.Lists.PROMPTS);
            case "notifications/resources/updated" ->
                params.text("uri").ifPresent(uri -> ears.changed(new Change.Resource(uri)));
            default -> {
                return; // there may be more in versions to come
            }
        }
    }

    private void progress(JsonObject params) {
        var token = params.member("progressToken").orElse(new JsonString(""));
        var done = number(params.member("progress"));
        if (token instanceof JsonNumber number && number.text().matches("[0-9]{1,18}") && done.isPresent()) {
            var total = number(params.member("total"));
            var what = passing(params.text("message").orElse(""));
            interview
                    .orElseThrow()
                    .progress(number.asLong(), caller -> caller.progress(done.getAsDouble(), total, what));
        }
    }

    private void acknowledged(JsonObject params) {
        var id = Meta.of(params).member(Meta.SUBSCRIPTION).orElse(new JsonString(""));
        var filter = params.member("notifications").orElse(JsonObject.EMPTY);
        if (id instanceof JsonNumber number
                && number.text().matches("[0-9]{1,18}")
                && filter instanceof JsonObject heard) {
            interview.orElseThrow().attention(number.asLong()).ifPresent(one -> one.acknowledged(heard));
        }
    }

    private String passing(String text) {
        return text.isEmpty()
                ? text
                : standing.map(running -> ears.passing(running, text)).orElse("");
    }

    private static OptionalDouble number(Optional<JsonValue> value) {
        if (value.orElse(new JsonString("")) instanceof JsonNumber(String text)) {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        }
        return OptionalDouble.empty();
    }

    private void log(JsonObject params) {
        var level = params.text("level").orElse("info");
        var logger = passing(params.text("logger").orElse(""));
        var line = passing(params.text("data")
                .orElseGet(() -> params.member("data").map(JsonValue::write).orElse("")));
        if (!interview.orElseThrow().word(caller -> caller.log(level, logger, line))) {
            ears.said(line);
        }
    }

    @Override
    public void asked(Message.Request request) {
        if (request.method().equals("ping")) {
            interview.orElseThrow().answer(new Message.Result(request.id(), JsonObject.EMPTY));
        } else if (!QUESTIONS.contains(request.method()) || standing.isEmpty()) {
            fail(request, new RpcError(RpcError.METHOD_NOT_FOUND, "no client of this server answers that"));
        } else if (questions.tryAcquire()) {
            Thread.ofVirtual().name("guest-question").start(() -> answered(request));
        } else {
            fail(request, new RpcError(RpcError.INTERNAL_ERROR, "too many questions at once: wait for an answer"));
        }
    }

    private void answered(Message.Request request) {
        try {
            var question = Map.of(ONE, new Caller.Question(request.method(), request.params()));
            var answers = ears.asked(
                    standing.orElseThrow(), question, interview.orElseThrow().latest());
            interview
                    .orElseThrow()
                    .answer(new Message.Result(request.id(), answers.getOrDefault(ONE, JsonObject.EMPTY)));
        } catch (RpcException e) {
            fail(request, e.error());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            fail(request, new RpcError(RpcError.INTERNAL_ERROR, "interrupted"));
        } finally {
            questions.release();
        }
    }

    private void fail(Message.Request request, RpcError error) {
        interview.orElseThrow().answer(new Message.Failure(Optional.of(request.id()), error));
    }
}
