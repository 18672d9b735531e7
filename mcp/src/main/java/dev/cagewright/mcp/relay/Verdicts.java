package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.pin.Accepted;
import dev.cagewright.mcp.pin.PinKind;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.List;
import java.util.Optional;

/// What is decided about one server, by its policy and the gate of its session. Safe for all threads.
public interface Verdicts {
    /// May that tool be called at all, as things stand?
    boolean shows(String tool);

    /// What may go on of something that a server says.
    ///
    /// @throws RpcException if nothing of it may, with why
    JsonValue said(JsonValue said) throws RpcException;

    /// Lets something go to a server that is no call of a tool: a request for a prompt, a resource or a completion, the
    /// answer to a question.
    ///
    /// @throws RpcException if it must not, with why; on record
    void requireFree(JsonValue going) throws RpcException;

    /// Those of a server's definitions that clients may see: as a person accepted them, or as they were first.
    ///
    /// @param definitions all of that kind, as the server has them
    /// @throws RpcException if nobody can say
    Accepted accepted(PinKind kind, List<JsonObject> definitions) throws RpcException;

    /// Another number each time that a person may have accepted more.
    long version();

    /// Lets a call through, or not.
    ///
    /// @param arguments as they go to the server
    /// @param schema that the server itself has for them
    Call call(String tool, JsonObject arguments, Optional<JsonObject> schema);

    /// May it ask its client that: `sampling/createMessage`, `elicitation/create`, `roots/list`?
    boolean mayAsk(String method);

    /// What became of a call.
    sealed interface Call {
        /// Does not go on.
        ///
        /// @param result what the client gets instead, with why
        record Refused(JsonObject result) implements Call {}

        /// Goes to the server.
        non-sealed interface Admitted extends Call {
            /// The result as it may go on; the outcome is on record.
            JsonObject settled(JsonObject result);

            /// The error as it may go on, in the place of a result.
            RpcError settled(RpcError error);

            /// There is no answer, and never will be.
            ///
            /// @param state one word
            void ended(String state);
        }
    }
}
