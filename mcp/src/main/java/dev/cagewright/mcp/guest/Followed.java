package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// The resources that a server without a session tells of: a request each, under way as long as the resource is
/// followed. Safe for all threads.
final class Followed {
    private static final int MOST = 1_024;

    /// What a server has to say that it will tell.
    private static final Duration AGREED = Duration.ofSeconds(10);

    private final Interview interview;
    private final UnaryOperator<JsonObject> dressed;
    private final Map<String, Attention> attention = new HashMap<>();

    /// @param dressed adds to parameters what the version wants
    Followed(Interview interview, UnaryOperator<JsonObject> dressed) {
        this.interview = interview;
        this.dressed = dressed;
    }

    /// Has the server tell of `uri` from when this returns.
    ///
    /// @throws RpcException if it does not agree
    void follow(String uri) throws RpcException, InterruptedException {
        var agreed = attentionTo(uri).agreed(AGREED);
        if (!(agreed.member("resourceSubscriptions").orElse(new JsonNull()) instanceof JsonArray uris)
                || !uris.items().contains(new JsonString(uri))) {
            leave(uri);
            throw new RpcException(RpcError.INVALID_PARAMS, "the MCP server does not tell of that resource");
        }
    }

    private synchronized Attention attentionTo(String uri) throws RpcException {
        var known = attention.get(uri);
        if (known != null) {
            return known;
        }
        if (attention.size() >= MOST) {
            throw new RpcException(
                    RpcError.INVALID_REQUEST, MOST + " resources of this server are followed: leave some first");
        }
        var begun = new Attention();
        attention.put(uri, begun);
        Thread.ofVirtual().name("guest-follow").start(() -> listen(uri, begun));
        return begun;
    }

    private void listen(String uri, Attention begun) {
        try {
            begun.keep(interview, dressed.apply(wanted(uri)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            forget(uri, begun);
        }
    }

    private static JsonObject wanted(String uri) {
        var filter = Json.object().put("resourceSubscriptions", Json.of(List.of(uri)));
        return Json.object().put("notifications", filter.build()).build();
    }

    private synchronized void forget(String uri, Attention ended) {
        attention.remove(uri, ended);
    }

    /// Nobody follows `uri` any more.
    void leave(String uri) {
        Attention left;
        synchronized (this) {
            left = attention.remove(uri);
        }
        if (left != null) {
            left.cancel();
        }
    }
}
