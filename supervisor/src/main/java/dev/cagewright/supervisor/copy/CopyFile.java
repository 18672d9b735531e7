package dev.cagewright.supervisor.copy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// `copy.json`: a [SessionCopy] on disk. The folder is where the file is found, so that a session's folder can move.
final class CopyFile {
    static final String NAME = "copy.json";

    /// The largest file that is read, bytes.
    private static final long MAX_BYTES = 8 << 20;

    private CopyFile() {}

    static void write(SessionCopy copy) throws IOException {
        OwnerFile.write(copy.folder().resolve(NAME), json(copy).bytes());
    }

    private static JsonObject json(SessionCopy copy) {
        return Json.object()
                .put("lower", ActionJson.bytes(copy.lower()))
                .put("at", copy.at().value())
                .put("mechanism", copy.mechanism().word())
                .put("device", copy.root().device())
                .put("inode", copy.root().inode())
                .put("made", copy.made().toString())
                .put("held", ActionJson.array(copy.held()))
                .build();
    }

    /// @throws IOException if a member is missing or of another kind, or the file is a link or too large
    static SessionCopy read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            throw new IOException(file + ": not a regular file of at most " + MAX_BYTES + " bytes");
        }
        try {
            if (!(Json.parse(Files.readAllBytes(file)) instanceof JsonObject json)) {
                throw new IOException(file + ": not an object");
            }
            var word = text(json, "mechanism");
            return new SessionCopy(
                    folderOf(file),
                    bytes(member(json, "lower")),
                    new GuestPath(text(json, "at")),
                    Mechanism.of(word).orElseThrow(() -> new IOException("copy: mechanism \"" + word + "\"")),
                    new SessionCopy.Root(number(json, "device"), number(json, "inode")),
                    Instant.parse(text(json, "made")),
                    held(json));
        } catch (JsonSyntaxException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static Path folderOf(Path file) throws IOException {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + ": has no folder");
        }
        return folder;
    }

    private static List<ByteString> held(JsonObject json) throws IOException {
        if (!(member(json, "held") instanceof JsonArray(List<JsonValue> items))) {
            throw new IOException("copy: \"held\" is not a list");
        }
        var paths = new ArrayList<ByteString>();
        for (JsonValue item : items) {
            paths.add(bytes(item));
        }
        return paths;
    }

    private static ByteString bytes(JsonValue value) throws IOException {
        if (value instanceof JsonString(String text)) {
            return ByteString.of(text);
        }
        if (value instanceof JsonObject encoded) {
            return ByteString.copyOf(Base64.getDecoder().decode(text(encoded, "base64")));
        }
        throw new IOException("copy: a path is neither text nor base64");
    }

    private static long number(JsonObject json, String name) throws IOException {
        if (member(json, name) instanceof JsonNumber number) {
            return number.asLong();
        }
        throw new IOException("copy: \"" + name + "\" is no number");
    }

    private static String text(JsonObject json, String name) throws IOException {
        return json.text(name).orElseThrow(() -> new IOException("copy: no \"" + name + "\""));
    }

    private static JsonValue member(JsonObject json, String name) throws IOException {
        return json.member(name).orElseThrow(() -> new IOException("copy: no \"" + name + "\""));
    }
}
