package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;

/// A request for a prompt, a resource or a completion, brought to the server whose it is. Written anew from what was
/// understood of it.
record Errand(Relay relay, String method, JsonObject params, Caller caller) {
    JsonObject result() throws RpcException, InterruptedException {
        return switch (method) {
            case "prompts/get" -> {
                var entry = prompt(text("name"));
                yield ask(
                        entry.member(), Json.object().put("name", entry.name()).put("arguments", arguments()));
            }
            case "completion/complete" -> completion();
            default -> {
                var uri = text("uri");
                var member = owner(uri);
                yield of(member, member.uris().inside(uri).orElseThrow());
            }
        };
    }

    /// @param uri as the server has it
    private JsonObject of(Member member, String uri) throws RpcException, InterruptedException {
        if (method.equals("resources/unsubscribe") && !member.following().remove(uri)) {
            return JsonObject.EMPTY; // somebody else still follows it
        }
        var answer = ask(member, Json.object().put("uri", uri));
        if (method.equals("resources/subscribe")) {
            member.following().add(uri);
        }
        return answer;
    }

    private JsonObject completion() throws RpcException, InterruptedException {
        var ref = object("ref");
        var argument = object("argument");
        var type = ref.text("type").orElse("");
        if (type.equals("ref/prompt")) {
            var entry = prompt(ref.text("name").orElse(""));
            var asked = Uris.with(ref, "name", new JsonString(entry.name()));
            return ask(entry.member(), completed(asked, argument));
        }
        if (type.equals("ref/resource")) {
            var uri = ref.text("uri").orElse("");
            var member = owner(uri);
            var asked = Uris.with(
                    ref, "uri", new JsonString(member.uris().inside(uri).orElseThrow()));
            return ask(member, completed(asked, argument));
        }
        throw new RpcException(RpcError.INVALID_PARAMS, "\"ref\" has to be of type ref/prompt or ref/resource");
    }

    private JsonObject.Builder completed(JsonObject ref, JsonObject argument) {
        var asked = Json.object().put("ref", ref).put("argument", argument);
        return params.member("context").orElse(new JsonNull()) instanceof JsonObject context
                ? asked.put("context", context)
                : asked;
    }

    private Directory.Entry prompt(String name) throws RpcException, InterruptedException {
        var directory = relay.directoryWith(name, Kind.PROMPTS, caller);
        return directory
                .find(name)
                .orElseThrow(() -> new RpcException(
                        RpcError.INVALID_PARAMS,
                        directory.ambiguous().getOrDefault(name, "there is no prompt of that name: see prompts/list")));
    }

    private Member owner(String uri) throws RpcException {
        return relay.members().stream()
                .filter(member -> member.uris().inside(uri).isPresent())
                .findFirst()
                .orElseThrow(() -> new RpcException(
                        RpcError.INVALID_PARAMS, "no server has a resource of that address: see resources/list"));
    }

    private JsonObject ask(Member member, JsonObject.Builder asked) throws RpcException, InterruptedException {
        Guest.Serving serving = member.serving(relay.patience());
        var verdicts = member.verdicts(serving);
        var request = asked.build();
        verdicts.requireFree(request);
        try {
            var answer = verdicts.said(serving.ask(method, request, caller));
            return member.uris().answer(method, answer instanceof JsonObject object ? object : JsonObject.EMPTY);
        } catch (RpcException e) {
            throw new Failure(verdicts, member.uris()).of(e.error());
        }
    }

    private String text(String name) throws RpcException {
        return params.text(name)
                .orElseThrow(
                        () -> new RpcException(RpcError.INVALID_PARAMS, "\"" + name + "\" has to be there, as a text"));
    }

    private JsonObject object(String name) throws RpcException {
        if (params.member(name).orElse(new JsonNull()) instanceof JsonObject object) {
            return object;
        }
        throw new RpcException(RpcError.INVALID_PARAMS, "\"" + name + "\" has to be there, as an object");
    }

    private JsonObject arguments() throws RpcException {
        return params.member("arguments").isPresent() ? object("arguments") : JsonObject.EMPTY;
    }
}
