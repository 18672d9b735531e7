package dev.cagewright.mcp.offer;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Optional;
import java.util.function.Consumer;

/// What a server offers: it answers everything but the protocol's own business (opening, versions, pings,
/// cancellation, levels of logging, who listens), which the door sees to. Safe for all threads; a call has a thread of
/// its own. `resources/subscribe` and `resources/unsubscribe` come in whatever way a client says it.
public interface Offer {
    /// `serverInfo`: at least `name` and `version`.
    JsonObject info();

    /// `capabilities` in the form of 2025-11-25; the door takes away what a version does not know.
    JsonObject capabilities();

    /// What a model should know before it uses any of this.
    Optional<String> instructions();

    /// The `result` of one request.
    ///
    /// @param method as `tools/call`
    /// @param params without what only the protocol needs (`_meta` of a version, a progress token)
    /// @param caller who asks, for as long as this takes
    /// @throws RpcException if the answer is an error; an unknown method is METHOD_NOT_FOUND
    JsonObject answer(String method, JsonObject params, Caller caller) throws RpcException, InterruptedException;

    /// What a tool wants as its arguments, for what clients have to say of them beside the message.
    ///
    /// @return its `inputSchema`; empty where there is no such tool, or it cannot be told
    default Optional<JsonObject> argumentsSchema(String tool) {
        return Optional.empty();
    }

    /// Has `changed` told of each thing that changes, until the listening is closed.
    Listening listen(Consumer<Change> changed);

    /// What may change while a client is there.
    sealed interface Change {
        /// The list of all tools, resources or prompts.
        enum Lists implements Change {
            TOOLS,
            RESOURCES,
            PROMPTS
        }

        /// What one resource holds, told only of those that `resources/subscribe` named.
        record Resource(String uri) implements Change {}
    }

    @FunctionalInterface
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }
}
