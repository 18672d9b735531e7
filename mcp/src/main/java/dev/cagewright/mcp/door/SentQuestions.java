package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller.Question;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/// Asks a client by requests of the server's own, as versions do that have sessions. Safe for all threads.
final class SentQuestions implements Asking {
    /// How many questions wait for one client at once.
    private static final int MOST = 256;

    private final AtomicLong last = new AtomicLong();
    private final Map<RpcId, CompletableFuture<Optional<JsonObject>>> open = new ConcurrentHashMap<>();

    @Override
    public Map<String, JsonObject> ask(Call call, Map<String, Question> questions) throws InterruptedException {
        var turn = call.turn();
        var sent = new LinkedHashMap<String, RpcId>();
        questions.forEach((name, question) -> {
            if (Asking.canTake(turn.client(), question) && turn.back().canAsk() && open.size() < MOST) {
                sent.put(name, send(turn.back(), question));
            }
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var answers = new LinkedHashMap<String, JsonObject>();
        try {
            for (var one : sent.entrySet()) {
                wait(one.getValue(), deadline).ifPresent(answer -> answers.put(one.getKey(), answer));
            }
        } finally {
            sent.values().forEach(id -> takeBack(turn.back(), id));
        }
        return answers;
    }

    private RpcId send(Outbox to, Question question) {
        var id = new RpcId.Whole(last.incrementAndGet());
        open.put(id, new CompletableFuture<>());
        to.ask(Frame.of(new Message.Request(id, question.method(), question.params())));
        return id;
    }

    private Optional<JsonObject> wait(RpcId id, long deadline) throws InterruptedException {
        var answer = open.get(id);
        if (answer == null) {
            return Optional.empty();
        }
        try {
            var told = answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            open.remove(id);
            return told;
        } catch (ExecutionException | TimeoutException _) {
            return Optional.empty();
        }
    }

    private void takeBack(Outbox to, RpcId id) {
        if (open.remove(id) != null) {
            to.tell(Frame.of(new Message.Notification(
                    "notifications/cancelled",
                    Json.object().put("requestId", id.json()).build())));
        }
    }

    /// The client answered; what was not asked is nothing.
    ///
    /// @param answer empty if it would not or could not
    void answered(RpcId id, Optional<JsonObject> answer) {
        var waiting = open.get(id);
        if (waiting != null) {
            waiting.complete(answer);
        }
    }
}
