package dev.cagewright.mcp.http;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.door.Refusals;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.protocol.MirroredArgument;
import dev.cagewright.mcp.protocol.MirroredArgument.Marks;
import dev.cagewright.mcp.protocol.RoutingFields;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.supervisor.hatch.HatchRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a stateless request says of itself in the head of HTTP too, so that others can route by it: 2026-07-28,
/// "Streamable HTTP", "Request Metadata". Where head and message differ nobody is to act on either.
final class Headers {
    static final String VERSION = RoutingFields.VERSION.toLowerCase(Locale.ROOT);
    private static final String METHOD = RoutingFields.METHOD.toLowerCase(Locale.ROOT);
    private static final String NAME = RoutingFields.NAME.toLowerCase(Locale.ROOT);

    private Headers() {}

    /// Compares the head of `request` with the message in it.
    ///
    /// @param offer knows which arguments its tools want in the head
    /// @throws RpcException if they differ, or the head lacks something
    static void check(HatchRequest request, Message.Request message, Offer offer) throws RpcException {
        var version = Meta.of(message.params()).text(Meta.VERSION);
        if (version.isPresent()) {
            same(RoutingFields.VERSION, request.field(VERSION), version.get());
        }
        same(RoutingFields.METHOD, request.field(METHOD), message.method());
        var named = RoutingFields.name(message.method(), message.params());
        if (named.isPresent()) {
            same(RoutingFields.NAME, request.field(NAME).flatMap(RoutingFields::read), named.get());
        }
        if (message.method().equals("tools/call")
                && named.isPresent()
                && message.params().member("arguments").orElse(JsonObject.EMPTY) instanceof JsonObject arguments) {
            var schema = offer.argumentsSchema(named.get());
            for (var one : schema.map(MirroredArgument::marks).map(Marks::all).orElse(List.of())) {
                mirrors(request, one, arguments);
            }
        }
    }

    private static void mirrors(HatchRequest request, MirroredArgument one, JsonObject arguments) throws RpcException {
        var value = one.in(arguments);
        var told = request.field(one.key()).flatMap(RoutingFields::read);
        if (value.isPresent()
                && told.filter(text -> MirroredArgument.says(text, value.get())).isEmpty()) {
            throw mismatch(one.field(), told);
        }
    }

    private static void same(String header, Optional<String> told, String said) throws RpcException {
        if (told.filter(said::equals).isEmpty()) {
            throw mismatch(header, told);
        }
    }

    private static RpcException mismatch(String header, Optional<String> told) {
        return new RpcException(
                Refusals.HEADER_MISMATCH,
                told.isEmpty()
                        ? "the header %s is missing or cannot be read".formatted(header)
                        : "the header %s says something else than the message".formatted(header));
    }
}
