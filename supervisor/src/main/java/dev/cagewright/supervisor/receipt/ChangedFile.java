package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import java.util.Arrays;
import java.util.Base64;

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
    /// The kind of a regular file.
    public static final String FILE = "file";

    /// As a line of the list: compact JSON and a line end.
    public byte[] line() {
        var json = toJson().bytes();
        var line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    /// Reads a line of the list.
    ///
    /// @param line without its line end
    /// @throws ReceiptSyntaxException if it is not exactly what [#line] writes for some change
    public static ChangedFile parse(byte[] line) throws ReceiptSyntaxException {
        try {
            var file = read("change", Json.parse(line));
            if (Arrays.equals(file.toJson().bytes(), line)) {
                return file;
            }
        } catch (JsonSyntaxException e) {
            throw new ReceiptSyntaxException("change: " + e.getMessage(), e);
        }
        throw new ReceiptSyntaxException("change: is spelled in another way than changes are");
    }

    /// The path's bytes.
    public ByteString pathBytes() {
        if (path instanceof JsonString(String text)) {
            return ByteString.of(text);
        }
        var base64 = path instanceof JsonObject object ? object.text("base64").orElse("") : "";
        return ByteString.copyOf(Base64.getDecoder().decode(base64));
    }

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
        try {
            Base64.getDecoder().decode(bytes.text("base64"));
        } catch (IllegalArgumentException e) {
            throw new ReceiptSyntaxException(where + ".base64: is not base64", e);
        }
        bytes.end();
        return json;
    }
}
