package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcError;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/// One request of a client and the way back to it.
final class Turn {
    private final Message.Request request;
    private final Client client;
    private final Outbox back;
    private final UnaryOperator<JsonObject> speech;
    private final Runnable end;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private double told = Double.NEGATIVE_INFINITY;

    /// @param speech makes of a result what this client's version says
    /// @param end runs once the request is under way no longer
    Turn(Message.Request request, Client client, Outbox back, UnaryOperator<JsonObject> speech, Runnable end) {
        this.request = request;
        this.client = client;
        this.back = back;
        this.speech = speech;
        this.end = end;
    }

    Message.Request request() {
        return request;
    }

    Client client() {
        return client;
    }

    Outbox back() {
        return back;
    }

    JsonObject spoken(JsonObject result) {
        return speech.apply(result);
    }

    void send(Frame frame) {
        back.answer(frame);
    }

    void send(Message message) {
        back.answer(Frame.of(message));
    }

    void tell(Message message) {
        if (!isOver.get()) {
            back.tell(Frame.of(message));
        }
    }

    Message.Failure failure(RpcError error) {
        return new Message.Failure(Optional.of(request.id()), client.dialect().error(error));
    }

    /// It is taken back.
    void none() {
        over();
        back.noAnswer();
    }

    void over() {
        if (isOver.compareAndSet(false, true)) {
            end.run();
        }
    }

    /// What the client wants to be told progress by.
    Optional<JsonValue> progressToken() {
        return Meta.of(request.params())
                .member(Meta.PROGRESS_TOKEN)
                .filter(token -> token instanceof JsonString || token instanceof JsonNumber);
    }

    boolean rises(double done) {
        boolean isMore = done > told;
        told = Math.max(told, done);
        return isMore;
    }
}
