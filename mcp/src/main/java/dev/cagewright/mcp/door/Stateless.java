package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.protocol.Dialect;
import dev.cagewright.mcp.protocol.LogLevel;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Set;

/// Answers requests that say themselves what they need: version 2026-07-28. Nothing is remembered between two of them,
/// but calls that wait for what a client was asked for.
final class Stateless {
    /// What only sessions had.
    private static final Set<String> GONE = Set.of(
            "initialize",
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
            "tasks/get",
            "tasks/list",
            "tasks/result",
            "tasks/cancel");

    private final UnderWay underWay;
    private final ParkedCalls parked;

    Stateless(UnderWay underWay, ParkedCalls parked) {
        this.underWay = underWay;
        this.parked = parked;
    }

    void request(Message.Request request, Outbox back) throws RpcException {
        var client = client(Meta.of(request.params()));
        if (GONE.contains(request.method())) {
            throw Refusals.unknownMethod(request.method());
        }
        switch (request.method()) {
            case "server/discover" ->
                back.answer(Frame.of(new Message.Result(
                        request.id(),
                        new Speech(client.dialect(), underWay.offer())
                                .result(request.method(), discover(client.dialect())))));
            case "subscriptions/listen" -> Subscription.open(underWay, request, client, back);
            default -> {
                if (ParkedCalls.state(request.params()).isPresent()) {
                    underWay.goOn(request, client, back);
                } else {
                    underWay.start(
                            request, client, back, new CarriedQuestions(parked, ParkedCalls.answers(request.params())));
                }
            }
        }
    }

    private static Client client(JsonObject meta) throws RpcException {
        if (!(meta.members().get(Meta.VERSION) instanceof JsonString(String requested))) {
            throw Refusals.params("_meta has no text " + Meta.VERSION);
        }
        var version = ProtocolVersion.of(requested).filter(ProtocolVersion::isStateless);
        if (version.isEmpty()) {
            throw Refusals.version(requested);
        }
        if (!(meta.members().get(Meta.CLIENT_CAPABILITIES) instanceof JsonObject capabilities)) {
            throw Refusals.params("_meta has no object " + Meta.CLIENT_CAPABILITIES);
        }
        if (!(meta.member(Meta.CLIENT_INFO).orElse(JsonObject.EMPTY) instanceof JsonObject)) {
            throw Refusals.params(Meta.CLIENT_INFO + " in _meta is no object");
        }
        var level = meta.text(Meta.LOG_LEVEL).flatMap(LogLevel::of);
        if (meta.member(Meta.LOG_LEVEL).isPresent() && level.isEmpty()) {
            throw Refusals.params(Meta.LOG_LEVEL + " in _meta is none of " + LogLevel.all());
        }
        return new Client(version.get(), capabilities, level);
    }

    private JsonObject discover(Dialect dialect) {
        var offer = underWay.offer();
        var found = Json.object()
                .put("supportedVersions", ProtocolVersion.texts())
                .put("capabilities", dialect.capabilities(offer.capabilities()));
        offer.instructions().ifPresent(text -> found.put("instructions", text));
        return found.build();
    }
}
