package dev.cagewright.mcp.rpc;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads what a peer sent. Whatever is not exactly one message of JSON-RPC 2.0 is malformed, and says which error it is
/// answered with: no member twice, no member of another kind of message, no unknown one, `jsonrpc` exactly `"2.0"`.
public final class MessageReader {
    /// How long the name of a method may be, in characters.
    private static final int LONGEST_METHOD = 256;

    private static final Set<String> MEMBERS = Set.of("jsonrpc", "id", "method", "params", "result", "error");

    private MessageReader() {}

    /// What bytes came to.
    public sealed interface Read {
        /// One message.
        record Single(Message message) implements Read {}

        /// An array, which some versions of the protocol allow.
        ///
        /// @param items each by itself, at least one
        record Batch(List<Read> items) implements Read {}

        /// No message.
        ///
        /// @param answer what the peer is told, unless it was itself an answer
        /// @param kind whether the peer may be waiting for that
        record Malformed(Message.Failure answer, Kind kind) implements Read {}

        /// What something malformed looks most like.
        enum Kind {
            REQUEST,
            ANSWER
        }
    }

    /// What `utf8` is.
    ///
    /// @param utf8 one frame without its end
    /// @param maxBytes how long a frame may be
    public static Read read(byte[] utf8, int maxBytes) {
        JsonValue value;
        try {
            value = Json.parse(utf8, maxBytes);
        } catch (JsonSyntaxException e) {
            return malformed(
                    Optional.empty(), RpcError.PARSE_ERROR, "the message is not strict JSON: " + e.getMessage());
        }
        if (Halves.isIn(utf8, value)) {
            return malformed(
                    Optional.empty(),
                    RpcError.PARSE_ERROR,
                    "the message holds half a surrogate pair (\\ud800 to \\udfff)");
        }
        return value instanceof JsonArray(List<JsonValue> items) ? batch(items) : single(value);
    }

    private static Read batch(List<JsonValue> items) {
        if (items.isEmpty()) {
            return malformed(Optional.empty(), RpcError.INVALID_REQUEST, "an empty batch asks for nothing");
        }
        var read = new ArrayList<Read>(items.size());
        for (JsonValue item : items) {
            read.add(single(item));
        }
        return new Read.Batch(read);
    }

    private static Read single(JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            return malformed(Optional.empty(), RpcError.INVALID_REQUEST, "a message is a JSON object");
        }
        var id = object.member("id").flatMap(RpcId::of);
        var odd = odd(object);
        if (odd.isPresent()) {
            return malformed(object, id, odd.get());
        }
        return object.member("method").isPresent() ? call(object, id) : answer(object, id);
    }

    private static Optional<String> odd(JsonObject object) {
        for (String name : object.members().keySet()) {
            if (!MEMBERS.contains(name)) {
                return Optional.of("the member " + new JsonString(name).brief() + " is none of JSON-RPC 2.0");
            }
        }
        if (!object.text("jsonrpc").filter(Message.VERSION::equals).isPresent()) {
            return Optional.of("the member \"jsonrpc\" has to be \"2.0\"");
        }
        return Optional.empty();
    }

    private static Read call(JsonObject object, Optional<RpcId> id) {
        var method = object.text("method");
        if (method.isEmpty() || method.get().isEmpty() || method.get().length() > LONGEST_METHOD) {
            return malformed(object, id, "the member \"method\" has to be a name");
        }
        if (object.member("result").isPresent() || object.member("error").isPresent()) {
            return malformed(object, id, "a request has no \"result\" and no \"error\"");
        }
        if (object.member("id").isPresent() && id.isEmpty()) {
            return malformed(object, id, "the member \"id\" has to be a text or a whole number");
        }
        return switch (object.member("params").orElse(JsonObject.EMPTY)) {
            case JsonObject params ->
                new Read.Single(
                        id.isPresent()
                                ? new Message.Request(id.get(), method.get(), params)
                                : new Message.Notification(method.get(), params));
            default ->
                new Read.Malformed(
                        failure(id, RpcError.INVALID_PARAMS, "the member \"params\" has to be an object"),
                        Read.Kind.REQUEST);
        };
    }

    private static Read answer(JsonObject object, Optional<RpcId> id) {
        var result = object.member("result");
        var error = object.member("error");
        if (result.isPresent() == error.isPresent()) {
            return malformed(object, id, "a message has either \"method\", or \"result\", or \"error\"");
        }
        if (object.member("params").isPresent()) {
            return malformed(object, id, "an answer has no \"params\"");
        }
        if (error.isPresent()) {
            return failed(object, id, error.get());
        }
        return id.isPresent() && result.get() instanceof JsonObject value
                ? new Read.Single(new Message.Result(id.get(), value))
                : malformed(object, id, "an answer has the \"id\" of its request, and an object as \"result\"");
    }

    private static Read failed(JsonObject object, Optional<RpcId> id, JsonValue error) {
        boolean isNamed = id.isPresent()
                || object.member("id").filter(JsonNull.class::isInstance).isPresent();
        if (isNamed
                && error instanceof JsonObject told
                && told.member("code").orElse(new JsonNull()) instanceof JsonNumber code
                && RpcId.WholeForm.of(code.text())
                && told.text("message").isPresent()) {
            var read = new RpcError(code.asLong(), told.text("message").get(), told.member("data"));
            return new Read.Single(new Message.Failure(id, read));
        }
        return malformed(object, id, "an \"error\" has a whole number as \"code\" and a text as \"message\"");
    }

    private static Read malformed(JsonObject object, Optional<RpcId> id, String why) {
        boolean isAnswer = object.member("method").isEmpty()
                && (object.member("result").isPresent()
                        || object.member("error").isPresent());
        return new Read.Malformed(
                failure(id, RpcError.INVALID_REQUEST, why), isAnswer ? Read.Kind.ANSWER : Read.Kind.REQUEST);
    }

    private static Read malformed(Optional<RpcId> id, int code, String why) {
        return new Read.Malformed(failure(id, code, why), Read.Kind.REQUEST);
    }

    private static Message.Failure failure(Optional<RpcId> id, int code, String why) {
        return new Message.Failure(id, new RpcError(code, why));
    }
}
