package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Optional;
import java.util.Set;

/// What goes on of an error by which a server answered: its words and its `data` as far as the policy lets them, with
/// addresses as the client knows them.
///
/// @param uris of the server
record Failure(Verdicts verdicts, Uris uris) {
    /// A header that says something else than its message, and a version that is not spoken: between neighbours. A
    /// client would take them for the door's own.
    private static final Set<Long> BETWEEN_NEIGHBOURS = Set.of(-32_020L, -32_022L);

    /// The person is to visit an address (2025-11-25): a question in the clothes of an error.
    private static final long VISIT = -32_042;

    /// An error that answers a prompt, a resource or a completion.
    RpcException of(RpcError error) throws RpcException {
        var clean = verdicts.said(error.json()) instanceof JsonObject object ? object : JsonObject.EMPTY;
        return new RpcException(
                shaped(new RpcError(error.code(), clean.text("message").orElse(""), clean.member("data"))));
    }

    /// An error whose texts were judged.
    RpcError shaped(RpcError judged) {
        if (BETWEEN_NEIGHBOURS.contains(judged.code())) {
            return new RpcError(RpcError.INTERNAL_ERROR, judged.message());
        }
        if (judged.code() == VISIT && !verdicts.mayAsk("elicitation/create")) {
            return new RpcError(RpcError.INTERNAL_ERROR, judged.message());
        }
        return new RpcError(judged.code(), judged.message(), judged.data().flatMap(this::addressed));
    }

    private Optional<JsonValue> addressed(JsonValue data) {
        return Optional.of(
                data instanceof JsonObject object && object.text("uri").isPresent()
                        ? Uris.with(
                                object,
                                "uri",
                                new JsonString(uris.outside(object.text("uri").orElseThrow())))
                        : data);
    }
}
