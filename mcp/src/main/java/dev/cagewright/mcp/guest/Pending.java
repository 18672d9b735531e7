package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One request that a server has not answered yet. What it tells meanwhile is handed to the caller by the thread that
/// waits, in its order, so that a slow caller holds up nobody else. Safe for all threads.
final class Pending {
    /// How much that was told may wait; what comes beyond is left out.
    private static final int MOST_WORDS = 1_000;

    private final Caller caller;
    private final Deque<Consumer<Caller>> words = new ArrayDeque<>();
    private Optional<Outcome> outcome = Optional.empty();
    private long lastHeard = System.nanoTime();

    /// What a request came to.
    sealed interface Outcome {
        record Answered(JsonObject result) implements Outcome {}

        record Failed(RpcError error) implements Outcome {}
    }

    Pending(Caller caller) {
        this.caller = caller;
    }

    Caller caller() {
        return caller;
    }

    /// The first outcome counts.
    synchronized void settle(Outcome found) {
        if (outcome.isEmpty()) {
            outcome = Optional.of(found);
            notifyAll();
        }
    }

    void fail(long code, String why) {
        settle(new Outcome.Failed(new RpcError(code, why)));
    }

    /// It is at work still.
    ///
    /// @param word what the caller hears
    synchronized void heard(Consumer<Caller> word) {
        lastHeard = System.nanoTime();
        if (words.size() < MOST_WORDS) {
            words.add(word);
            notifyAll();
        }
    }

    /// Waits for the outcome.
    ///
    /// @return empty when it took too long
    /// @throws RpcException if it is an error
    Optional<JsonObject> await(Patience patience) throws RpcException, InterruptedException {
        long begun = System.nanoTime();
        while (true) {
            Consumer<Caller> word;
            synchronized (this) {
                while (words.isEmpty() && outcome.isEmpty()) {
                    long left = left(begun, patience);
                    if (left <= 0) {
                        return Optional.empty();
                    }
                    wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
                }
                if (words.isEmpty()) {
                    return Optional.of(result(outcome.orElseThrow()));
                }
                word = words.remove();
            }
            word.accept(caller);
        }
    }

    private long left(long begun, Patience patience) {
        long now = System.nanoTime();
        return Math.min(nanos(patience.quiet()) - (now - lastHeard), nanos(patience.longest()) - (now - begun));
    }

    private static long nanos(Duration time) {
        return time.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE / 2 : time.toNanos();
    }

    private static JsonObject result(Outcome outcome) throws RpcException {
        return switch (outcome) {
            case Outcome.Answered(JsonObject result) -> result;
            case Outcome.Failed(RpcError error) -> throw new RpcException(error);
        };
    }
}
