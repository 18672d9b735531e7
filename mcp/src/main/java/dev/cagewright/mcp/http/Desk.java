package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Dialogue;
import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Outbox;
import dev.cagewright.mcp.door.Reception;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.rpc.RpcId;
import dev.cagewright.mcp.stdio.StdioDoor;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.hatch.Attendant;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import dev.cagewright.supervisor.hatch.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Attends to the clients of a [HttpDoor], one request of HTTP at a time.
///
/// @param keeper who lets them in
record Desk(Doorkeeper keeper, Reception reception, Sessions sessions) implements Attendant {
    private static final String SESSION = "mcp-session-id";

    @Override
    public void attend(HatchRequest request, Reply reply) throws IOException, InterruptedException {
        var refusal = keeper.refusal(request);
        if (refusal.isPresent()) {
            reply.whole(refusal.get());
            return;
        }
        var id = request.field(SESSION);
        if (request.method().equals("POST")) {
            post(request, id, reply);
        } else if (request.method().equals("GET") && id.isPresent()) {
            get(request, id.get(), reply);
        } else if (request.method().equals("DELETE") && id.isPresent()) {
            reply.whole(sessions.close(id.get()) ? empty(204) : noSession());
        } else {
            reply.whole(HatchAnswer.problem(405, "mcp:method", "messages come by POST")
                    .with("Allow", id.isPresent() ? "POST, GET, DELETE" : "POST"));
        }
    }

    private static HatchAnswer empty(int status) {
        return new HatchAnswer(status, "", ByteString.of(""));
    }

    private static HatchAnswer noSession() {
        return HatchAnswer.problem(404, "mcp:session", "there is no such session any more: initialize again");
    }

    private void post(HatchRequest request, Optional<String> id, Reply reply) throws IOException, InterruptedException {
        var accepted = Accepted.by(request);
        if (!Accepted.isJson(request)) {
            reply.whole(HatchAnswer.problem(415, "mcp:type", "a message is application/json"));
            return;
        }
        if (!accepted.isJson() && !accepted.isStream()) {
            reply.whole(HatchAnswer.problem(406, "mcp:accept", "answers are application/json or text/event-stream"));
            return;
        }
        var read = MessageReader.read(request.body().toByteArray(), StdioDoor.MAX_FRAME);
        if (isStateless(request, read)) {
            stateless(request, read, reply);
        } else if (id.isPresent()) {
            var session = sessions.get(id.get());
            if (session.isEmpty()) {
                reply.whole(noSession());
            } else {
                session(request, session.get(), read, reply);
            }
        } else {
            opening(request, read, reply);
        }
    }

    /// A request that carries its version stands for itself, whatever else comes with it.
    private static boolean isStateless(HatchRequest request, Read read) {
        boolean isSaid = read instanceof Read.Single(Message.Request message)
                && Meta.of(message.params()).member(Meta.VERSION).isPresent();
        return isSaid
                || request.field(Headers.VERSION)
                        .flatMap(ProtocolVersion::of)
                        .filter(ProtocolVersion::isStateless)
                        .isPresent();
    }

    private void stateless(HatchRequest request, Read read, Reply reply) throws IOException, InterruptedException {
        var back = new PostReply(Accepted.by(request), Status.STATELESS, Map.of());
        try (var dialogue = new Dialogue(reception, Outbox.NOWHERE)) {
            switch (read) {
                case Read.Single(Message.Request message) -> {
                    try {
                        Headers.check(request, message, reception.offer());
                        dialogue.ask(message, back);
                    } catch (RpcException e) {
                        back.refuse(Frame.of(new Message.Failure(Optional.of(message.id()), e.error())));
                    }
                }
                case Read.Single(Message.Notification _) -> {
                    reply.whole(empty(202));
                    return;
                }
                case Read.Single _ -> {
                    reply.whole(HatchAnswer.problem(400, "mcp:answer", "nothing was asked that this answers"));
                    return;
                }
                case Read.Batch _, Read.Malformed _ -> dialogue.receive(read, back);
            }
            reply.takesTime();
            reply.whenGone(dialogue::close);
            back.run(reply);
        }
    }

    private void opening(HatchRequest request, Read read, Reply reply) throws IOException, InterruptedException {
        var fields = new LinkedHashMap<String, String>();
        var back = new PostReply(Accepted.by(request), Status.SESSION, fields);
        var made = sessions.make();
        if (made.isEmpty()) {
            reply.whole(HatchAnswer.problem(503, "mcp:sessions", "all sessions are in use: end one"));
            return;
        }
        if (asked(read).isEmpty() && !(read instanceof Read.Malformed) && !(read instanceof Read.Batch)) {
            reply.whole(HatchAnswer.problem(400, "mcp:session", "the header Mcp-Session-Id is missing"));
            return;
        }
        var session = made.get();
        session.receive(read, back);
        if (session.dialogue().version().isPresent()) {
            fields.put("Mcp-Session-Id", sessions.keep(session));
        }
        back.run(reply);
    }

    private static List<RpcId> asked(Read read) {
        return switch (read) {
            case Read.Single(Message.Request request) -> List.of(request.id());
            case Read.Batch(List<Read> items) -> {
                var ids = new ArrayList<RpcId>();
                items.forEach(item -> ids.addAll(asked(item)));
                yield ids;
            }
            case Read.Single _, Read.Malformed _ -> List.of();
        };
    }

    private static void session(HatchRequest request, HttpSession session, Read read, Reply reply)
            throws IOException, InterruptedException {
        var version = session.dialogue().version().map(ProtocolVersion::text);
        if (request.field(Headers.VERSION)
                .filter(told -> !version.equals(Optional.of(told)))
                .isPresent()) {
            reply.whole(
                    HatchAnswer.problem(400, "mcp:version", "this session speaks " + version.orElse("no version yet")));
            return;
        }
        var ids = asked(read);
        session.enter();
        try {
            var back = new PostReply(Accepted.by(request), Status.SESSION, Map.of());
            session.receive(read, back);
            if (ids.isEmpty() && !isRefused(read, session)) {
                reply.whole(empty(202));
                return;
            }
            reply.takesTime();
            reply.whenGone(() -> ids.forEach(session.dialogue()::cancel));
            back.run(reply);
        } catch (IOException e) {
            ids.forEach(session.dialogue()::cancel);
            throw e;
        } finally {
            session.leave();
        }
    }

    /// Is there an answer, though nothing in `read` is a request that may be cancelled?
    private static boolean isRefused(Read read, HttpSession session) {
        return switch (read) {
            case Read.Malformed(var _, Read.Kind kind) -> kind == Read.Kind.REQUEST;
            case Read.Batch(List<Read> items) ->
                !session.dialogue().version().map(ProtocolVersion::hasBatches).orElse(false)
                        || items.stream().anyMatch(item -> isRefused(item, session));
            case Read.Single _ -> false;
        };
    }

    private void get(HatchRequest request, String id, Reply reply) throws IOException, InterruptedException {
        var session = sessions.get(id);
        if (session.isEmpty()) {
            reply.whole(noSession());
            return;
        }
        if (!Accepted.by(request).isStream()) {
            reply.whole(HatchAnswer.problem(406, "mcp:accept", "there is only text/event-stream here"));
            return;
        }
        reply.takesTime();
        session.get().enter();
        try {
            if (!session.get().stream(reply)) {
                reply.whole(HatchAnswer.problem(409, "mcp:stream", "this session has a stream open already"));
            }
        } finally {
            session.get().leave();
        }
    }
}
