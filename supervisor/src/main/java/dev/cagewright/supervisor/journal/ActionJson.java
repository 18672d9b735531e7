package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

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
            case Action.NetPublish(int port) -> json.put("port", port);
        }
        return json.build();
    }

    /// The action that [#of] wrote; empty for what is none, or of another version.
    public static Optional<Action> read(JsonObject json) {
        try {
            return switch (json.text("name").orElse("")) {
                case "proc.exec" -> Optional.of(new Action.ProcExec(words(json), new GuestPath(text(json, "cwd"))));
                case "fs.read" -> Optional.of(new Action.FsRead(new GuestPath(text(json, "path"))));
                case "fs.write" -> Optional.of(new Action.FsWrite(new GuestPath(text(json, "path"))));
                case "http.request" ->
                    Optional.of(
                            new Action.HttpRequest(text(json, "method"), host(json), port(json), text(json, "path")));
                case "net.connect" -> Optional.of(new Action.NetConnect(host(json), port(json)));
                case "net.publish" -> Optional.of(new Action.NetPublish(port(json)));
                case "dns.lookup" -> Optional.of(new Action.DnsLookup(host(json)));
                case "mcp.call" -> Optional.of(new Action.McpCall(text(json, "server"), text(json, "tool")));
                case "secret.use" -> Optional.of(new Action.SecretUse(text(json, "secret"), host(json)));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException | ArithmeticException _) {
            return Optional.empty();
        }
    }

    private static HostName host(JsonObject json) {
        return new HostName(text(json, "host"));
    }

    private static int port(JsonObject json) {
        return json.member("port").orElse(null) instanceof JsonNumber number ? Math.toIntExact(number.asLong()) : 0;
    }

    private static String text(JsonObject json, String member) {
        return json.text(member).orElseThrow(() -> new IllegalArgumentException("action: no \"" + member + "\""));
    }

    private static List<ByteString> words(JsonObject json) {
        if (json.member("argv").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items.stream().map(ActionJson::word).toList();
        }
        throw new IllegalArgumentException("action: no \"argv\"");
    }

    private static ByteString word(JsonValue item) {
        return switch (item) {
            case JsonString(String text) -> ByteString.of(text);
            case JsonObject bytes -> ByteString.copyOf(Base64.getDecoder().decode(text(bytes, "base64")));
            default -> throw new IllegalArgumentException("action: a word that is none");
        };
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
