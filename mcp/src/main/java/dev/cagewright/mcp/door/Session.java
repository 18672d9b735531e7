package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.protocol.LogLevel;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.rpc.RpcId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What was agreed with a client that opened with `initialize`, and what it asks from then on: versions up to
/// 2025-11-25. One thread at a time hands in requests; the rest is safe for all threads.
final class Session implements AutoCloseable {
    private static final int MOST_SUBSCRIPTIONS = 1024;

    private final UnderWay underWay;
    private final Outbox unasked;
    private final SentQuestions questions = new SentQuestions();

    /// What the client wants to be told of, and what of that the offer follows for it.
    private final Set<String> subscribed = ConcurrentHashMap.newKeySet();

    private final Set<String> followed = ConcurrentHashMap.newKeySet();
    private volatile Optional<Client> client = Optional.empty();
    private volatile boolean isReady;
    private volatile boolean isClosed;
    private Optional<Offer.Listening> listening = Optional.empty();

    Session(UnderWay underWay, Outbox unasked) {
        this.underWay = underWay;
        this.unasked = unasked;
    }

    boolean hasBatches() {
        return client.map(one -> one.version().hasBatches()).orElse(false);
    }

    /// The version that was agreed on; empty before that.
    Optional<ProtocolVersion> version() {
        return client.map(Client::version);
    }

    void request(Message.Request request, Outbox back) throws RpcException {
        switch (request.method()) {
            case "initialize" -> back.answer(result(request, open(request.params())));
            case "ping" -> back.answer(result(request, JsonObject.EMPTY));
            default -> asked(request, opened(), back);
        }
    }

    private static Frame result(Message.Request request, JsonObject value) {
        return Frame.of(new Message.Result(request.id(), value));
    }

    private void asked(Message.Request request, Client by, Outbox back) throws RpcException {
        switch (request.method()) {
            case "logging/setLevel" -> {
                setLevel(request, by);
                back.answer(result(request, JsonObject.EMPTY));
            }
            case "server/discover", "subscriptions/listen" -> throw Refusals.unknownMethod(request.method());
            case "resources/subscribe" -> subscribe(request, by, back);
            case "resources/unsubscribe" -> unsubscribe(request, by, back);
            default -> underWay.start(request, by, back, questions);
        }
    }

    private Client opened() throws RpcException {
        return client.orElseThrow(() -> Refusals.params(
                "open with \"initialize\" (up to 2025-11-25), or name the version in each request's _meta"
                        + " (\"io.modelcontextprotocol/protocolVersion\", from 2026-07-28 on)"));
    }

    private JsonObject open(JsonObject params) throws RpcException {
        if (client.isPresent()) {
            throw Refusals.request("this session is open already");
        }
        var wanted = params.text("protocolVersion")
                .orElseThrow(() -> Refusals.params("initialize needs a \"protocolVersion\""));
        if (!(params.member("capabilities").orElse(JsonObject.EMPTY) instanceof JsonObject able)) {
            throw Refusals.params("the \"capabilities\" of a client are an object");
        }
        var version =
                ProtocolVersion.of(wanted).filter(known -> !known.isStateless()).orElse(ProtocolVersion.NEWEST_OPENED);
        var offer = underWay.offer();
        var now = new Client(version, able, Optional.of(LogLevel.INFO).filter(_ -> hasLogging()));
        client = Optional.of(now);
        listening = Optional.of(offer.listen(this::changed));
        var answer = Json.object()
                .put("protocolVersion", version.text())
                .put("capabilities", now.dialect().capabilities(offer.capabilities()))
                .put("serverInfo", now.dialect().info(offer.info()));
        offer.instructions().ifPresent(text -> answer.put("instructions", text));
        return answer.build();
    }

    private boolean hasLogging() {
        return underWay.offer().capabilities().member("logging").isPresent();
    }

    private void setLevel(Message.Request request, Client by) throws RpcException {
        if (!hasLogging()) {
            throw Refusals.unknownMethod(request.method());
        }
        var level = request.params()
                .text("level")
                .flatMap(LogLevel::of)
                .orElseThrow(() -> Refusals.params("\"level\" is one of " + LogLevel.all()));
        client = Optional.of(by.withLevel(level));
    }

    private void subscribe(Message.Request request, Client by, Outbox back) throws RpcException {
        var uri = uri(request);
        if (followed.contains(uri)) {
            back.answer(result(request, JsonObject.EMPTY));
            return;
        }
        if (subscribed.size() >= MOST_SUBSCRIPTIONS) {
            throw Refusals.request(
                    "%d resources are subscribed to: unsubscribe from some".formatted(MOST_SUBSCRIPTIONS));
        }
        subscribed.add(uri);
        underWay.start(request, by, back, questions, () -> follows(uri, by));
    }

    private void unsubscribe(Message.Request request, Client by, Outbox back) throws RpcException {
        var uri = uri(request);
        subscribed.remove(uri);
        if (followed.remove(uri)) {
            underWay.start(request, by, back, questions);
        } else {
            back.answer(result(request, JsonObject.EMPTY));
        }
    }

    private static String uri(Message.Request request) throws RpcException {
        return request.params().text("uri").orElseThrow(() -> Refusals.params("\"uri\" is missing"));
    }

    /// The offer follows it for this client.
    private void follows(String uri, Client by) {
        followed.add(uri);
        if (isClosed && followed.remove(uri)) {
            underWay.leave(uri, by);
        }
    }

    private void changed(Offer.Change change) {
        boolean isWanted = switch (change) {
            case Offer.Change.Lists list -> Changes.isOffered(underWay.offer(), list);
            case Offer.Change.Resource(String uri) -> subscribed.contains(uri);
        };
        if (isReady && isWanted) {
            unasked.tell(Frame.of(Changes.notice(change, JsonObject.EMPTY)));
        }
    }

    /// Once the client says that it knows what was agreed on, it may be told things. All else that clients tell of
    /// themselves changes nothing here.
    void notice(Message.Notification notification) {
        if (notification.method().equals("notifications/initialized")) {
            isReady = client.isPresent();
        }
    }

    void answered(RpcId id, Optional<JsonObject> answer) {
        questions.answered(id, answer);
    }

    @Override
    public void close() {
        listening.ifPresent(Offer.Listening::close);
        listening = Optional.empty();
        isClosed = true;
        for (String uri : List.copyOf(followed)) {
            if (followed.remove(uri)) {
                client.ifPresent(by -> underWay.leave(uri, by));
            }
        }
    }
}
