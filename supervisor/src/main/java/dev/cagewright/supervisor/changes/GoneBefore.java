package dev.cagewright.supervisor.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the host had changed by itself before the first application of a copy, kept in `conflicts.json` beside it. An
/// application changes the host's directories, whose times tell nothing afterwards.
public final class GoneBefore {
    private static final String NAME = "conflicts.json";

    private final Optional<Set<ByteString>> paths;

    private GoneBefore(Optional<Set<ByteString>> paths) {
        this.paths = paths;
    }

    static GoneBefore load(SessionCopy copy) throws IOException {
        var file = copy.folder().resolve(NAME);
        if (!Files.exists(file)) {
            return new GoneBefore(Optional.empty());
        }
        try {
            if (!(Json.parse(Files.readAllBytes(file)) instanceof JsonArray(List<JsonValue> items))) {
                throw new IOException(file + ": not a list");
            }
            var paths = new HashSet<ByteString>();
            for (JsonValue item : items) {
                paths.add(bytes(item, file));
            }
            return new GoneBefore(Optional.of(paths));
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static ByteString bytes(JsonValue item, Path file) throws IOException {
        return switch (item) {
            case JsonString(String text) -> ByteString.of(text);
            case JsonObject json ->
                ByteString.copyOf(Base64.getDecoder().decode(json.text("base64").orElse("")));
            default -> throw new IOException(file + ": a path is neither text nor base64");
        };
    }

    /// Was `path` among them? Empty if nothing was applied yet.
    Optional<Boolean> names(RelativePath path) {
        return paths.map(all -> all.contains(path.bytes()));
    }

    /// Remembers `conflicts`, the first time only; durable when it returns.
    public static void keep(SessionCopy copy, List<RelativePath> conflicts) throws IOException {
        var file = copy.folder().resolve(NAME);
        if (Files.exists(file)) {
            return;
        }
        OwnerFile.write(
                file,
                ActionJson.array(conflicts.stream().map(RelativePath::bytes).toList())
                        .bytes());
    }
}
