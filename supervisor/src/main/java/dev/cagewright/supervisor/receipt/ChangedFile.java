package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;

/// One change of a file system entry.
///
/// @param path below the copied directory, as the audit log writes bytes: a text, or an object with base64
/// @param in where the workload saw the copied directory
/// @param change one word: `added`, `modified`, `deleted` ...
/// @param kind one word: `file`, `directory`, `link` ...
/// @param sha256 of the content now; empty when there is none
/// @param before of the content before; empty when there was none
/// @param bytes the size now
public record ChangedFile(
        JsonValue path, String in, String change, String kind, String sha256, String before, long bytes) {
    JsonObject toJson() {
        return Json.object()
                .put("path", path)
                .put("in", in)
                .put("change", change)
                .put("kind", kind)
                .put("sha256", sha256)
                .put("before", before)
                .put("bytes", bytes)
                .build();
    }

    static ChangedFile read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var file = new ChangedFile(
                members.value("path", ChangedFile::path),
                members.text("in"),
                members.text("change"),
                members.text("kind"),
                members.digestOrEmpty("sha256"),
                members.digestOrEmpty("before"),
                members.count("bytes"));
        members.end();
        return file;
    }

    private static JsonValue path(String where, JsonValue json) throws ReceiptSyntaxException {
        if (json instanceof JsonString) {
            return json;
        }
        var bytes = Members.of(where, json);
        bytes.text("base64");
        bytes.end();
        return json;
    }
}
