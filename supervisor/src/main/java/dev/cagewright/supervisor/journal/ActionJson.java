package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import java.util.Base64;
import java.util.List;

/// An action as the audit log and `--json` write it: `name` first, then its parts. Bytes that are not
/// UTF-8 become `{"base64": "..."}`, so that nothing is lost and nothing is invented.
public final class ActionJson {
    private ActionJson() {}

    public static JsonObject of(Action action) {
        var json = Json.object().put("name", action.name());
        switch (action) {
            case Action.ProcExec exec ->
                json.put("argv", array(exec.argv()))
                        .put("cwd", exec.workingDirectory().value());
            case Action.FsRead read -> json.put("path", read.path().value());
            case Action.FsWrite write -> json.put("path", write.path().value());
            case Action.HttpRequest request ->
                json.put("method", request.method())
                        .put("host", request.host().value())
                        .put("port", request.port())
                        .put("path", request.path());
            case Action.NetConnect connect ->
                json.put("host", connect.host().value()).put("port", connect.port());
            case Action.DnsLookup lookup -> json.put("host", lookup.host().value());
            case Action.SecretUse use ->
                json.put("secret", use.secret()).put("host", use.host().value());
            case Action.McpCall call -> json.put("server", call.server()).put("tool", call.tool());
            case Action.RunControl control -> json.put("verb", control.verb());
        }
        return json.build();
    }

    public static JsonArray array(List<ByteString> words) {
        return new JsonArray(words.stream().map(ActionJson::bytes).toList());
    }

    public static JsonValue bytes(ByteString bytes) {
        return bytes.utf8()
                .<JsonValue>map(JsonString::new)
                .orElseGet(() -> Json.object()
                        .put("base64", Base64.getEncoder().encodeToString(bytes.toByteArray()))
                        .build());
    }
}
