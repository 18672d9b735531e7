package dev.cagewright.supervisor.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.journal.ActionJson;
import java.util.Locale;
import java.util.Optional;

/// Changes as `--json`, the log and receipts write them: paths as text, or as `{"base64": ...}` where they are none.
public final class ChangeJson {
    private ChangeJson() {}

    /// With the conflict if there is one.
    public static JsonObject of(Difference difference) {
        var json = change(difference.change());
        difference.conflict().ifPresent(why -> json.put("conflict", why));
        return json.build();
    }

    public static JsonObject of(Change change) {
        return change(change).build();
    }

    private static JsonObject.Builder change(Change change) {
        return switch (change) {
            case Change.Added(var _, var after) -> sides(change, Optional.empty(), Optional.of(after));
            case Change.Deleted(var _, var before) -> sides(change, Optional.of(before), Optional.empty());
            case Change.Modified(var _, var before, var after) ->
                sides(change, Optional.of(before), Optional.of(after));
            case Change.ModeChanged(var _, var before, var after) ->
                sides(change, Optional.of(before), Optional.of(after));
        };
    }

    private static JsonObject.Builder sides(Change change, Optional<Node> before, Optional<Node> after) {
        var json = Json.object()
                .put("path", ActionJson.bytes(change.path().bytes()))
                .put("change", word(change));
        before.ifPresent(node -> json.put("before", node(node)));
        after.ifPresent(node -> json.put("after", node(node)));
        return json;
    }

    /// `added`, `deleted`, `modified` or `mode`.
    public static String word(Change change) {
        return switch (change) {
            case Change.Added _ -> "added";
            case Change.Deleted _ -> "deleted";
            case Change.Modified _ -> "modified";
            case Change.ModeChanged _ -> "mode";
        };
    }

    private static JsonObject node(Node node) {
        return switch (node) {
            case Node.File(int mode, long size, String sha256) -> {
                var json = Json.object()
                        .put("kind", "file")
                        .put("mode", octal(mode))
                        .put("size", size);
                yield sha256.isEmpty()
                        ? json.build()
                        : json.put("sha256", sha256).build();
            }
            case Node.Link(var text) ->
                Json.object()
                        .put("kind", "link")
                        .put("text", ActionJson.bytes(text))
                        .build();
            case Node.Folder(int mode) ->
                Json.object().put("kind", "directory").put("mode", octal(mode)).build();
            case Node.Special(String word) -> Json.object().put("kind", word).build();
        };
    }

    /// Four digits, e.g. `0644`.
    public static String octal(int mode) {
        return String.format(Locale.ROOT, "%04o", mode);
    }
}
