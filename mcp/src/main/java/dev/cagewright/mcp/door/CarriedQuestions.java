package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.offer.Caller.Question;
import dev.cagewright.mcp.rpc.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/// Asks the client of one call by answering that input is required, as the stateless version does: the client comes
/// again with what it was asked for, and the call goes on under its new request. Safe for all threads.
final class CarriedQuestions implements Asking {
    /// Which requests may be answered so.
    private static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");

    private static final Set<String> ACTIONS = Set.of("accept", "decline", "cancel");

    private final ParkedCalls parked;
    private final SynchronousQueue<JsonObject> brought = new SynchronousQueue<>();
    private JsonObject foreseen;

    /// @param foreseen answers that the client brought before it was asked, by names; good for what is asked first
    CarriedQuestions(ParkedCalls parked, JsonObject foreseen) {
        this.parked = parked;
        this.foreseen = foreseen;
    }

    @Override
    public Map<String, JsonObject> ask(Call call, Map<String, Question> questions) throws InterruptedException {
        var answers = new LinkedHashMap<String, JsonObject>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var left = new LinkedHashMap<String, Question>();
        questions.forEach((name, question) -> {
            if (Asking.canTake(call.turn().client(), question)) {
                left.put(name, question);
            }
        });
        take(foreseen, left, answers);
        foreseen = JsonObject.EMPTY;
        while (!left.isEmpty()
                && !parked.isFull()
                && METHODS.contains(call.turn().request().method())) {
            take(round(call, left, deadline), left, answers);
        }
        return answers;
    }

    /// What nobody asked, or has no form of an answer, is nothing.
    private static void take(JsonObject brought, Map<String, Question> left, Map<String, JsonObject> answers) {
        brought.members().forEach((name, told) -> {
            var question = left.get(name);
            if (question != null && told instanceof JsonObject answer && isAnswer(question, answer)) {
                left.remove(name);
                answers.put(name, answer);
            }
        });
    }

    private static boolean isAnswer(Question question, JsonObject answer) {
        return !question.method().equals("elicitation/create")
                || answer.text("action").filter(ACTIONS::contains).isPresent();
    }

    /// Whoever does not come again in time has given the call up.
    private JsonObject round(Call call, Map<String, Question> left, long deadline) throws InterruptedException {
        var turn = call.turn();
        var state = parked.park(new ParkedCalls.Waiting(call, this), turn.request());
        try {
            turn.over();
            turn.send(new Message.Result(turn.request().id(), turn.spoken(required(left, state))));
            var told = brought.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (told == null) {
                call.cancel();
                throw new InterruptedException("the client did not come again");
            }
            return told;
        } finally {
            parked.forget(state);
        }
    }

    private static JsonObject required(Map<String, Question> left, String state) {
        var requests = new LinkedHashMap<String, JsonValue>();
        left.forEach((name, question) -> requests.put(
                name,
                Json.object()
                        .put("method", question.method())
                        .put("params", question.params())
                        .build()));
        return Json.object()
                .put("resultType", "input_required")
                .put("inputRequests", new JsonObject(requests))
                .put("requestState", state)
                .build();
    }

    /// The client came again and brought this.
    ///
    /// @return no, if nobody waits for it any more
    boolean bring(JsonObject answers) throws InterruptedException {
        return brought.offer(answers, 10, TimeUnit.SECONDS);
    }
}
