package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.protocol.LogLevel;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;

/// One request that the offer works on, with a thread of its own. It is answered once, or cancelled and never answered.
/// Safe for all threads.
final class Call implements Caller, Pending, Runnable {
    /// The largest answer, bytes.
    static final int MOST_ANSWER = 32 << 20;

    private final Reception reception;
    private final Asking asking;
    private final String method;
    private final JsonObject params;
    private final List<Runnable> whenCancelled = new ArrayList<>();
    private Turn turn;
    private State state = State.WORKING;
    private Thread worker = Thread.currentThread();

    Call(Reception reception, Asking asking, Turn turn) {
        this.reception = reception;
        this.asking = asking;
        this.turn = turn;
        this.method = turn.request().method();
        this.params = Meta.without(ParkedCalls.first(turn.request().params()));
    }

    private enum State {
        WORKING,
        ANSWERED,
        CANCELLED
    }

    /// Which request of the client the call answers now. Only where a client comes again is there a second.
    Turn turn() {
        synchronized (whenCancelled) {
            return turn;
        }
    }

    /// The client came again.
    ///
    /// @return no, if the call was cancelled meanwhile
    boolean goesOn(Turn next) {
        synchronized (whenCancelled) {
            if (state != State.WORKING) {
                return false;
            }
            turn = next;
            return true;
        }
    }

    @Override
    public void run() {
        synchronized (whenCancelled) {
            worker = Thread.currentThread();
            if (state == State.CANCELLED) {
                return;
            }
        }
        try {
            answer(reception.offer().answer(method, params, this));
        } catch (RpcException e) {
            fail(e.error());
        } catch (InterruptedException _) {
            fail(new RpcError(RpcError.INTERNAL_ERROR, "this was interrupted: ask again"));
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void answer(JsonObject result) {
        var told = turn();
        var frame = Frame.of(new Message.Result(told.request().id(), told.spoken(result)));
        if (frame.bytes().length > MOST_ANSWER) {
            fail(new RpcError(
                    RpcError.INTERNAL_ERROR, "the answer has more than %d bytes: ask for less".formatted(MOST_ANSWER)));
            return;
        }
        if (ends()) {
            told.send(frame);
        }
    }

    private void fail(RpcError error) {
        var told = turn();
        if (ends()) {
            told.send(told.failure(error));
        }
    }

    private void failed(Throwable failure) {
        var name = UUID.randomUUID().toString();
        reception.faults().keep(name, failure);
        fail(new RpcError(RpcError.INTERNAL_ERROR, "this could not be answered; the log says why under " + name));
    }

    private boolean ends() {
        synchronized (whenCancelled) {
            if (state != State.WORKING) {
                return false;
            }
            state = State.ANSWERED;
            turn.over();
            return true;
        }
    }

    @Override
    @SuppressWarnings("Interruption") // the thread is the call's own, and the call is what is cancelled
    public void cancel() {
        List<Runnable> actions;
        synchronized (whenCancelled) {
            if (state != State.WORKING) {
                return;
            }
            state = State.CANCELLED;
            turn.none();
            actions = List.copyOf(whenCancelled);
            worker.interrupt();
        }
        actions.forEach(this::act);
    }

    private void act(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            reception.faults().keep(UUID.randomUUID().toString(), e);
        }
    }

    @Override
    public void whenCancelled(Runnable action) {
        synchronized (whenCancelled) {
            if (state != State.CANCELLED) {
                whenCancelled.add(action);
                return;
            }
        }
        act(action);
    }

    @Override
    public boolean isCancelled() {
        synchronized (whenCancelled) {
            return state == State.CANCELLED;
        }
    }

    @Override
    public void progress(double done, OptionalDouble total, String what) {
        if (!Double.isFinite(done)) {
            return;
        }
        synchronized (whenCancelled) {
            var token = turn.progressToken();
            if (state != State.WORKING || token.isEmpty() || !turn.rises(done)) {
                return;
            }
            var told = Json.object().put("progressToken", token.get()).put("progress", number(done));
            total.ifPresent(all -> told.put("total", number(all)));
            if (!what.isEmpty() && turn.client().version().isAtLeast(ProtocolVersion.V2025_03_26)) {
                told.put("message", what);
            }
            turn.tell(new Message.Notification("notifications/progress", told.build()));
        }
    }

    private static JsonNumber number(double value) {
        return new JsonNumber(
                new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString());
    }

    @Override
    public void log(String level, String logger, String line) {
        var known = LogLevel.of(level).orElse(LogLevel.INFO);
        synchronized (whenCancelled) {
            if (state != State.WORKING || !turn.client().wants(known)) {
                return;
            }
            turn.tell(new Message.Notification(
                    "notifications/message",
                    Json.object()
                            .put("level", known.text())
                            .put("logger", logger)
                            .put("data", new JsonString(line))
                            .build()));
        }
    }

    @Override
    public JsonObject capabilities() {
        return turn().client().capabilities();
    }

    @Override
    public Map<String, JsonObject> ask(Map<String, Question> questions) throws InterruptedException {
        return asking.ask(this, questions);
    }
}
