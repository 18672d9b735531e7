package dev.cagewright.mcp.remote;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.protocol.RoutingFields;
import dev.cagewright.mcp.rpc.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the head of each request says: what somebody gave, and then either the session that was agreed on, or, for a
/// message that stands for itself, what the message says. Safe for all threads.
final class Conversation {
    private static final int LONGEST_SESSION = 1_024;
    private static final String VERSION = RoutingFields.VERSION;
    private static final String SESSION = "Mcp-Session-Id";

    private final List<Header> given;
    private final ParameterHeaders parameters = new ParameterHeaders();
    private volatile Optional<String> session = Optional.empty();
    private volatile Optional<String> version = Optional.empty();

    /// @param given by whoever named the server
    Conversation(List<Header> given) {
        this.given = List.copyOf(given);
    }

    /// Does it stand for itself, as every request does from 2026-07-28 on?
    static boolean isStateless(Message message) {
        return message instanceof Message.Request request
                && Meta.of(request.params()).text(Meta.VERSION).isPresent();
    }

    /// Takes the session that the head of an answer to `initialize` names.
    ///
    /// @throws IOException if it cannot be one
    void begin(HostAnswer.Head head) throws IOException {
        var named = head.field(SESSION);
        if (named.isPresent()
                && (named.get().isEmpty() || named.get().length() > LONGEST_SESSION || !isVisible(named.get()))) {
            throw new UnreadableException("gave its session an id that none can have");
        }
        session = named;
    }

    /// Takes the version of an answer to `initialize`.
    void agree(JsonObject result) {
        version = result.text("protocolVersion").flatMap(ProtocolVersion::of).map(ProtocolVersion::text);
    }

    boolean hasSession() {
        return session.isPresent();
    }

    ParameterHeaders parameters() {
        return parameters;
    }

    /// Those of a request that carries no message.
    List<Header> bare() {
        var headers = new ArrayList<>(given);
        session.ifPresent(id -> headers.add(new Header(SESSION, id)));
        version.ifPresent(agreed -> headers.add(new Header(VERSION, agreed)));
        return headers;
    }

    /// Those of a message.
    List<Header> of(Message message) {
        var headers = new ArrayList<Header>();
        if (message instanceof Message.Request request && isStateless(request)) {
            headers.addAll(given);
            headers.add(new Header(
                    VERSION, Meta.of(request.params()).text(Meta.VERSION).orElseThrow()));
            headers.add(new Header(RoutingFields.METHOD, RoutingFields.carried(request.method())));
            RoutingFields.name(request.method(), request.params())
                    .ifPresent(name -> headers.add(new Header(RoutingFields.NAME, RoutingFields.carried(name))));
            if (request.method().equals("tools/call")) {
                headers.addAll(parameters.of(request.params()));
            }
        } else {
            headers.addAll(bare());
        }
        headers.add(new Header("Content-Type", "application/json"));
        headers.add(new Header("Accept", "application/json, text/event-stream"));
        return headers;
    }

    private static boolean isVisible(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
