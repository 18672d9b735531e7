package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.rpc.RpcId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What one client says and hears, in both eras of the protocol: a request that carries its version is answered by
/// itself, and `initialize` begins a session that all others belong to. Messages are handed in by one thread at a time;
/// everything else is safe for all threads.
public final class Dialogue implements AutoCloseable {
    private final UnderWay underWay;
    private final Session session;
    private final Stateless stateless;

    /// @param unasked where goes what belongs to no request
    public Dialogue(Reception reception, Outbox unasked) {
        this.underWay = new UnderWay(reception);
        this.session = new Session(underWay, unasked);
        this.stateless = new Stateless(underWay, reception.parked());
    }

    /// Takes what the client sent.
    ///
    /// @param back where answers to it go
    public void receive(Read read, Outbox back) {
        switch (read) {
            case Read.Single(Message message) -> take(message, back);
            case Read.Batch(List<Read> items) -> batch(items, back);
            case Read.Malformed(Message.Failure answer, Read.Kind kind) -> malformed(answer, kind, back);
        }
    }

    private void batch(List<Read> items, Outbox back) {
        if (!session.hasBatches()) {
            refuse(
                    Optional.empty(),
                    Refusals.request("no batch here: one message at a time").error(),
                    back);
            return;
        }
        var together = new Together(
                back, (int) items.stream().filter(Dialogue::isAnswered).count());
        items.forEach(item -> receive(item, together));
    }

    private static boolean isAnswered(Read item) {
        return switch (item) {
            case Read.Single(Message message) -> message instanceof Message.Request;
            case Read.Malformed(var _, Read.Kind kind) -> kind == Read.Kind.REQUEST;
            case Read.Batch _ -> false;
        };
    }

    private void malformed(Message.Failure answer, Read.Kind kind, Outbox back) {
        switch (kind) {
            case REQUEST -> back.refuse(Frame.of(answer));
            case ANSWER -> answer.id().ifPresent(id -> session.answered(id, Optional.empty()));
        }
    }

    private void take(Message message, Outbox back) {
        switch (message) {
            case Message.Request request -> request(request, back);
            case Message.Notification notification -> notice(notification);
            case Message.Result(RpcId id, var value) -> session.answered(id, Optional.of(value));
            case Message.Failure(Optional<RpcId> id, var _) ->
                id.ifPresent(asked -> session.answered(asked, Optional.empty()));
        }
    }

    private void request(Message.Request request, Outbox back) {
        try {
            if (Meta.of(request.params()).member(Meta.VERSION).isPresent()) {
                stateless.request(request, back);
            } else {
                session.request(request, back);
            }
        } catch (RpcException e) {
            refuse(Optional.of(request.id()), e.error(), back);
        }
    }

    /// Takes a request that has to stand for itself: a session is neither begun nor used.
    public void ask(Message.Request request, Outbox back) {
        try {
            stateless.request(request, back);
        } catch (RpcException e) {
            refuse(Optional.of(request.id()), e.error(), back);
        }
    }

    private static void refuse(Optional<RpcId> id, RpcError error, Outbox back) {
        back.refuse(Frame.of(new Message.Failure(id, error)));
    }

    private void notice(Message.Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" ->
                notification.params().member("requestId").flatMap(RpcId::of).ifPresent(underWay::cancel);
            default -> session.notice(notification);
        }
    }

    /// The client takes the request `id` back.
    public void cancel(RpcId id) {
        underWay.cancel(id);
    }

    /// What was agreed on by `initialize`; empty before that.
    public Optional<ProtocolVersion> version() {
        return session.version();
    }

    /// Waits until nothing is worked on for this client, but no longer than `patience`.
    public void awaitQuiet(Duration patience) throws InterruptedException {
        underWay.awaitQuiet(patience);
    }

    /// The client is gone: whatever it waited for is cancelled.
    @Override
    public void close() {
        session.close();
        underWay.cancelAll();
    }

    /// Answers to the messages of one array, which go back as one. Safe for all threads.
    private static final class Together implements Outbox {
        private final Outbox back;
        private final JsonArray.Builder answers = Json.array();
        private int left;

        Together(Outbox back, int answers) {
            this.back = back;
            this.left = answers;
        }

        @Override
        public void answer(Frame frame) {
            synchronized (answers) {
                answers.add(frame.json());
            }
            noAnswer();
        }

        @Override
        public void noAnswer() {
            JsonArray all;
            synchronized (answers) {
                left--;
                if (left > 0) {
                    return;
                }
                all = answers.build();
            }
            if (all.items().isEmpty()) {
                back.noAnswer();
            } else {
                back.answer(Frame.of(all));
            }
        }

        @Override
        public void ask(Frame frame) {
            back.ask(frame);
        }

        @Override
        public void tell(Frame frame) {
            back.tell(frame);
        }
    }
}
