package dev.cagewright.cli.summary;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The files that a run changed.
///
/// @param where in a copy, where they wait, or in the workspace itself
/// @param first some of them, printable, at most [#SHOWN]
/// @param complete whether everything was looked at; if not, there may be more
record FilesChanged(Where where, long count, List<String> first, boolean complete) {
    /// So many are named.
    static final int SHOWN = 5;

    private static final String NAME = "files-changed.json";
    private static final int LARGEST = 64 * 1024;

    /// Where the changes are.
    enum Where {
        /// They wait for `changes` and `apply`.
        COPY,
        /// The run and whoever else wrote there meanwhile.
        WORKSPACE
    }

    FilesChanged {
        first = List.copyOf(first);
    }

    /// Keeps it beside the session's record.
    void write(Path folder) throws IOException {
        OwnerFile.write(folder.resolve(NAME), toJson().bytes());
    }

    /// What was kept of a session; empty if nothing was.
    static Optional<FilesChanged> read(Path folder) throws IOException {
        try {
            return Json.parse(OwnerFile.read(folder.resolve(NAME), LARGEST)) instanceof JsonObject json
                    ? Optional.of(of(json))
                    : Optional.empty();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (JsonSyntaxException | ArithmeticException e) {
            throw new IOException(NAME + ": " + e.getMessage(), e);
        }
    }

    private static FilesChanged of(JsonObject json) {
        long count = json.member("count").orElse(null) instanceof JsonNumber number ? number.asLong() : 0;
        List<JsonValue> items = json.member("first").orElse(null) instanceof JsonArray(var all) ? all : List.of();
        boolean isComplete = json.member("complete").orElse(null) instanceof JsonBoolean(boolean value) && value;
        return new FilesChanged(
                json.text("where").orElse("").equals("copy") ? Where.COPY : Where.WORKSPACE,
                count,
                items.stream()
                        .map(item -> item instanceof JsonString(String text) ? text : "?")
                        .limit(SHOWN)
                        .toList(),
                isComplete);
    }

    JsonObject toJson() {
        return Json.object()
                .put("where", where == Where.COPY ? "copy" : "workspace")
                .put("count", count)
                .put("first", first)
                .put("complete", complete)
                .build();
    }
}
