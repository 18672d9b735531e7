package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.journal.ActionJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/// What is about to happen at one path, as it stands on disk before it does: enough to finish or to undo it later.
///
/// @param aside the name, in the same directory, that the new object has before it gets its place, or the old one
///     after it lost it
/// @param was what the host had there
record PlannedAct(Kind kind, RelativePath path, ByteString aside, Optional<Was> was) {
    enum Kind {
        /// Something new gets the place.
        PUT,
        /// What is there goes.
        DROP
    }

    /// Which object it was, with which bytes as far as size and time tell.
    record Was(long device, long inode, long size, Instant modified) {
        static Was of(HostEntry entry) {
            return new Was(entry.identity().device(), entry.identity().inode(), entry.size(), entry.modified());
        }
    }

    boolean isWhatWas(HostEntry entry) {
        return was.equals(Optional.of(Was.of(entry)));
    }

    boolean isObjectThatWas(HostEntry entry) {
        return was.filter(old -> old.inode == entry.identity().inode()
                        && old.device == entry.identity().device())
                .isPresent();
    }

    JsonObject toJson() {
        var json = Json.object()
                .put("act", kind.name())
                .put("path", ActionJson.bytes(path.bytes()))
                .put("aside", ActionJson.bytes(aside));
        was.ifPresent(old -> json.put("device", old.device)
                .put("inode", old.inode)
                .put("size", old.size)
                .put("modified", old.modified.toString()));
        return json.build();
    }

    /// @throws IOException if a member is missing or of another kind
    static PlannedAct of(JsonObject json) throws IOException {
        var was = json.member("inode").isEmpty()
                ? Optional.<Was>empty()
                : Optional.of(new Was(
                        number(json, "device"),
                        number(json, "inode"),
                        number(json, "size"),
                        Instant.parse(text(json, "modified"))));
        return new PlannedAct(
                Kind.valueOf(text(json, "act")),
                new RelativePath(bytes(member(json, "path"))),
                bytes(member(json, "aside")),
                was);
    }

    private static ByteString bytes(JsonValue value) throws IOException {
        return switch (value) {
            case JsonString(String text) -> ByteString.of(text);
            case JsonObject encoded -> ByteString.copyOf(Base64.getDecoder().decode(text(encoded, "base64")));
            default -> throw new IOException("apply: a path is neither text nor base64");
        };
    }

    private static long number(JsonObject json, String name) throws IOException {
        if (member(json, name) instanceof JsonNumber number) {
            return number.asLong();
        }
        throw new IOException("apply: \"" + name + "\" is no number");
    }

    private static String text(JsonObject json, String name) throws IOException {
        return json.text(name).orElseThrow(() -> new IOException("apply: no \"" + name + "\""));
    }

    private static JsonValue member(JsonObject json, String name) throws IOException {
        return json.member(name).orElseThrow(() -> new IOException("apply: no \"" + name + "\""));
    }
}
