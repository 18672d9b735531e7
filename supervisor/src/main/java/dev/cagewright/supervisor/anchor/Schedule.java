package dev.cagewright.supervisor.anchor;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When runs sign the log of a state folder: `checkpoints.json` there.
///
/// @param key the file of the signing key
/// @param cadence when a run's end is an occasion
/// @param anchors where checkpoints go
public record Schedule(Path key, Cadence cadence, List<String> anchors) {
    private static final String FILE = "checkpoints.json";
    private static final int LONGEST = 64 << 10;

    public Schedule {
        anchors.forEach(Anchor::parse);
        anchors = List.copyOf(anchors);
    }

    /// The schedule of `folders`, if there is one.
    ///
    /// @throws IOException if there is one that cannot be read
    public static Optional<Schedule> load(StateFolders folders) throws IOException {
        var file = folders.state().resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (var in = Files.newInputStream(file)) {
            return Optional.of(parse(in.readNBytes(LONGEST)));
        } catch (JsonSyntaxException | IllegalArgumentException | ArithmeticException e) {
            throw new IOException(file + " is no schedule of checkpoints: " + e.getMessage(), e);
        }
    }

    private static Schedule parse(byte[] json) throws JsonSyntaxException {
        if (Json.parse(json, LONGEST) instanceof JsonObject object
                && object.members().get("events") instanceof JsonNumber events
                && object.members().get("after_ms") instanceof JsonNumber after
                && object.members().get("anchors") instanceof JsonArray(var items)) {
            var anchors = new ArrayList<String>();
            for (var item : items) {
                anchors.add(item instanceof JsonString(var text) ? text : "");
            }
            return new Schedule(
                    Path.of(object.text("key").orElse("")),
                    new Cadence(events.asLong(), Duration.ofMillis(after.asLong())),
                    anchors);
        }
        throw new IllegalArgumentException("members are missing (expected: key, events, after_ms, anchors)");
    }

    /// Keeps this as the schedule of `folders`.
    public void store(StateFolders folders) throws IOException {
        var log = folders.auditLog();
        var file = log.resolveSibling(FILE);
        var json = Json.object()
                .put("key", key.toString())
                .put("events", cadence.events())
                .put("after_ms", cadence.after().toMillis())
                .put("anchors", anchors)
                .build();
        OwnerFile.write(file, (json.write() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// Lets `folders` have no schedule.
    ///
    /// @return whether there was one
    public static boolean remove(StateFolders folders) throws IOException {
        return Files.deleteIfExists(folders.state().resolve(FILE));
    }
}
