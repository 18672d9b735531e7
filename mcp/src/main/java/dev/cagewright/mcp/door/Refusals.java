package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.Json;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Optional;

/// What a door itself says no with. The codes of 2026-07-28 stand in its basic part, "Error Codes".
public final class Refusals {
    /// A header says something else than the message.
    public static final int HEADER_MISMATCH = -32_020;

    /// The client cannot do what the request needs.
    public static final int MISSING_CLIENT_CAPABILITY = -32_021;

    /// The version that a stateless request names is none that is spoken here without a session.
    public static final int UNSUPPORTED_VERSION = -32_022;

    private Refusals() {}

    static RpcException unknownMethod(String method) {
        return new RpcException(
                RpcError.METHOD_NOT_FOUND,
                "there is no method %s here".formatted(Json.of(method).write()));
    }

    static RpcException params(String why) {
        return new RpcException(RpcError.INVALID_PARAMS, why);
    }

    static RpcException request(String why) {
        return new RpcException(RpcError.INVALID_REQUEST, why);
    }

    static RpcException version(String requested) {
        return new RpcException(new RpcError(
                UNSUPPORTED_VERSION,
                "this version of the protocol is not spoken here without a session",
                Optional.of(Json.object()
                        .put("supported", ProtocolVersion.texts())
                        .put("requested", requested)
                        .build())));
    }

    static Message.Failure crowded(Message.Request request) {
        return new Message.Failure(
                Optional.of(request.id()),
                new RpcError(
                        RpcError.INTERNAL_ERROR,
                        "%d requests are under way: ask again when one is answered"
                                .formatted(Reception.MOST_UNDER_WAY)));
    }
}
