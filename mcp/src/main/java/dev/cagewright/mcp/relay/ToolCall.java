package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.util.Optional;

/// One call of a tool: judged, brought to its server as it was judged, and its result judged on the way back.
record ToolCall(Relay relay, JsonObject params, Caller caller) {
    JsonObject result() throws RpcException, InterruptedException {
        var name = params.text("name")
                .orElseThrow(() -> new RpcException(RpcError.INVALID_PARAMS, "\"name\" has to be there, as a text"));
        var arguments = arguments();
        var directory = relay.directoryWith(name, Kind.TOOLS, caller);
        var entry = directory.find(name);
        if (entry.isPresent()) {
            return passed(entry.get(), arguments);
        }
        var why = directory.ambiguous().get(name);
        if (why == null && relay.naming() == Naming.OWN) {
            return unlisted(relay.members().getFirst(), name, arguments);
        }
        throw new RpcException(
                RpcError.INVALID_PARAMS,
                why == null
                        ? "there is no tool of that name: see tools/list; one that is new or was changed is held until"
                                + " a person accepts it (cagewright mcp diff)"
                        : why);
    }

    private JsonObject arguments() throws RpcException {
        return switch (params.member("arguments").orElse(JsonObject.EMPTY)) {
            case JsonObject object -> object;
            case JsonNull _ -> JsonObject.EMPTY;
            default -> throw new RpcException(RpcError.INVALID_PARAMS, "\"arguments\" has to be an object");
        };
    }

    private JsonObject passed(Directory.Entry entry, JsonObject arguments) throws RpcException, InterruptedException {
        var member = entry.member();
        var tool = entry.name();
        var serving = member.serving(relay.patience());
        var schema = entry.shown()
                .member("inputSchema")
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast);
        try (var _ = member.asking(caller)) {
            return switch (member.verdicts(serving).call(tool, arguments, schema)) {
                case Verdicts.Call.Refused(JsonObject result) -> result;
                case Verdicts.Call.Admitted passed -> asked(member, serving, new Asked(tool, arguments, passed));
            };
        }
    }

    private record Asked(String tool, JsonObject arguments, Verdicts.Call.Admitted passed) {}

    private JsonObject asked(Member member, Guest.Serving serving, Asked asked)
            throws RpcException, InterruptedException {
        JsonObject result;
        try {
            result = serving.ask(
                    "tools/call",
                    Json.object()
                            .put("name", asked.tool())
                            .put("arguments", asked.arguments())
                            .build(),
                    caller);
        } catch (RpcException e) {
            if (caller.isCancelled()) {
                asked.passed().ended("cancelled");
                throw e;
            }
            var judged = asked.passed().settled(e.error());
            throw new RpcException(new Failure(member.verdicts(serving), member.uris()).shaped(judged));
        } catch (InterruptedException e) {
            asked.passed().ended("cancelled");
            throw e;
        }
        return member.uris().answer("tools/call", asked.passed().settled(result));
    }

    /// A tool that is not in the list: policy has the first word about it, and then the server does not have it.
    private JsonObject unlisted(Member member, String tool, JsonObject arguments)
            throws RpcException, InterruptedException {
        var serving = member.serving(relay.patience());
        return switch (member.verdicts(serving).call(tool, arguments, Optional.empty())) {
            case Verdicts.Call.Refused(JsonObject result) -> result;
            case Verdicts.Call.Admitted passed -> {
                passed.ended("unknown");
                throw new RpcException(
                        RpcError.INVALID_PARAMS,
                        "there is no tool of that name: see tools/list; one that is new or was changed is held until"
                                + " a person accepts it (cagewright mcp diff)");
            }
        };
    }
}
