package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// All of a server's list, page by page: whole, or an error that says why not.
final class Pages {
    private static final int MOST_PAGES = 500;
    private static final int MOST_ITEMS = 10_000;
    private static final int LONGEST_CURSOR = 4_096;

    /// How many items one page of ours has.
    static final int SIZE = 1_000;

    private final Guest.Serving serving;
    private final Kind kind;
    private final Caller caller;

    Pages(Guest.Serving serving, Kind kind, Caller caller) {
        this.serving = serving;
        this.kind = kind;
        this.caller = caller;
    }

    /// @throws RpcException if the list does not come to an end, is none, or is longer than anybody reads
    List<JsonObject> all() throws RpcException, InterruptedException {
        if (!serving.agreed().has(kind.capability())) {
            return List.of();
        }
        var all = new ArrayList<JsonObject>();
        var seen = new HashSet<String>();
        var params = JsonObject.EMPTY;
        while (true) {
            var page = seen.isEmpty() ? first() : serving.ask(kind.method(), params, caller);
            add(page, all);
            var cursor = page.member("nextCursor").orElse(new JsonNull());
            if (!(cursor instanceof JsonString(String text)) || text.isEmpty()) {
                return all;
            }
            if (!seen.add(text)) {
                throw refused("gives the same cursor twice");
            }
            if (seen.size() > MOST_PAGES || text.length() > LONGEST_CURSOR) {
                throw refused("has more than " + MOST_PAGES + " pages, or cursors of more than " + LONGEST_CURSOR
                        + " characters");
            }
            params = Json.object().put("cursor", text).build();
        }
    }

    /// A server that has resources may know no templates, and says so.
    private JsonObject first() throws RpcException, InterruptedException {
        try {
            return serving.ask(kind.method(), JsonObject.EMPTY, caller);
        } catch (RpcException e) {
            if (e.error().code() != RpcError.METHOD_NOT_FOUND) {
                throw e;
            }
            return Json.object().put(kind.member(), List.of()).build();
        }
    }

    private void add(JsonObject page, List<JsonObject> all) throws RpcException {
        if (!(page.member(kind.member()).orElse(new JsonNull()) instanceof JsonArray(List<JsonValue> items))) {
            throw refused("answers without \"" + kind.member() + "\"");
        }
        for (JsonValue item : items) {
            if (!(item instanceof JsonObject one)
                    || one.text(kind.key()).orElse("").isEmpty()) {
                throw refused("has an entry without \"" + kind.key() + "\"");
            }
            all.add(one);
        }
        if (all.size() > MOST_ITEMS) {
            throw refused("has more than " + MOST_ITEMS + " entries");
        }
    }

    private RpcException refused(String why) {
        return new RpcException(
                RpcError.INTERNAL_ERROR, kind.method() + " of the server " + why + ", so none of it is" + " taken");
    }

    /// One page of `all`.
    ///
    /// @param params of the request
    /// @throws RpcException if its cursor is none of ours
    static JsonObject of(Kind kind, List<JsonObject> all, JsonObject params) throws RpcException {
        int from = 0;
        var cursor = params.member("cursor");
        if (cursor.isPresent()) {
            if (!(cursor.get() instanceof JsonString(String text))
                    || !text.matches("[1-9][0-9]{0,6}")
                    || Integer.parseInt(text) >= all.size()) {
                throw new RpcException(
                        RpcError.INVALID_PARAMS, "the cursor is none of this list: leave it out to begin again");
            }
            from = Integer.parseInt(text);
        }
        int to = Math.min(all.size(), from + SIZE);
        var page = Json.object().put(kind.member(), new JsonArray(List.copyOf(all.subList(from, to))));
        return (to < all.size() ? page.put("nextCursor", Integer.toString(to)) : page).build();
    }
}
