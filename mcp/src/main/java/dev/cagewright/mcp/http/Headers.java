package dev.cagewright.mcp.http;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.door.Refusals;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.protocol.Meta;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.supervisor.hatch.HatchRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a stateless request says of itself in the head of HTTP too, so that others can route by it: 2026-07-28,
/// "Streamable HTTP", "Request Metadata". Where head and message differ nobody is to act on either.
final class Headers {
    static final String VERSION = "mcp-protocol-version";
    private static final String METHOD = "mcp-method";
    private static final String NAME = "mcp-name";

    /// Which parameter stands in the head, by method.
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    private static final String BEFORE = "=?base64?";
    private static final String AFTER = "?=";

    private Headers() {}

    /// Compares the head of `request` with the message in it.
    ///
    /// @throws RpcException if they differ, or the head lacks something
    ///
    /// @param offer knows which arguments its tools want in the head
    static void check(HatchRequest request, Message.Request message, Offer offer) throws RpcException {
        var version = Meta.of(message.params()).text(Meta.VERSION);
        if (version.isPresent()) {
            same("MCP-Protocol-Version", request.field(VERSION), version.get());
        }
        same("Mcp-Method", request.field(METHOD), message.method());
        var named = Optional.ofNullable(NAMED.get(message.method()))
                .flatMap(parameter -> message.params().text(parameter));
        if (named.isPresent()) {
            same("Mcp-Name", decoded(request.field(NAME)), named.get());
        }
        if (message.method().equals("tools/call")
                && named.isPresent()
                && message.params().member("arguments").orElse(JsonObject.EMPTY) instanceof JsonObject arguments) {
            var schema = offer.argumentsSchema(named.get());
            for (var one : schema.map(MirroredArgument::all).orElse(List.of())) {
                mirrors(request, one, arguments);
            }
        }
    }

    private static void mirrors(HatchRequest request, MirroredArgument one, JsonObject arguments) throws RpcException {
        var value = one.in(arguments);
        var told = decoded(request.field(one.key()));
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

    /// What stands for a value that a head cannot carry; empty for what is none.
    private static Optional<String> decoded(Optional<String> value) {
        return value.flatMap(text ->
                text.startsWith(BEFORE) && text.endsWith(AFTER) && text.length() >= BEFORE.length() + AFTER.length()
                        ? unpacked(text.substring(BEFORE.length(), text.length() - AFTER.length()))
                        : Optional.of(text));
    }

    private static Optional<String> unpacked(String base64) {
        try {
            var bytes = Base64.getDecoder().decode(base64);
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            boolean isWhole = Base64.getEncoder().encodeToString(bytes).equals(base64);
            return isWhole ? Optional.of(text) : Optional.empty();
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return Optional.empty();
        }
    }
}
