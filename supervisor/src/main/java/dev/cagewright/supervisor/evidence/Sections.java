package dev.cagewright.supervisor.evidence;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a bundle holds and what it does not, said by whoever wrote it. Nothing vouches for it: it tells a reader what
/// to look for, and every item is bound by the receipt instead.
///
/// @param session the run's
/// @param items all other entries, by name
/// @param absent what is not there, by section
record Sections(String session, List<Item> items, List<Absent> absent) {
    private static final int FORMAT = 1;

    Sections {
        items = List.copyOf(items);
        absent = List.copyOf(absent);
    }

    /// One entry.
    record Item(String name, long bytes, String sha256) {
        JsonObject toJson() {
            return Json.object()
                    .put("name", name)
                    .put("bytes", bytes)
                    .put("sha256", sha256)
                    .build();
        }
    }

    /// A section that is not there, or not whole.
    ///
    /// @param section one word
    /// @param why one sentence without a full stop
    record Absent(String section, String why) {
        JsonObject toJson() {
            return Json.object().put("section", section).put("why", why).build();
        }
    }

    byte[] bytes() {
        var bytes = Json.object()
                .put("format", FORMAT)
                .put("session", session)
                .put(
                        "entries",
                        new JsonArray(
                                items.stream().<JsonValue>map(Item::toJson).toList()))
                .put(
                        "absent",
                        new JsonArray(
                                absent.stream().<JsonValue>map(Absent::toJson).toList()))
                .build()
                .bytes();
        var line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }

    /// Reads what a bundle says is absent, and holds the rest to what is really there.
    ///
    /// @param items what is really there
    /// @throws BundleException if the bytes say anything else, or in another way
    static Sections parse(byte[] bytes, String session, List<Item> items) throws BundleException {
        try {
            if (Json.parse(bytes) instanceof JsonObject json) {
                var sections = new Sections(session, items, absent(json));
                if (Arrays.equals(sections.bytes(), bytes)) {
                    return sections;
                }
            }
        } catch (JsonSyntaxException e) {
            throw new BundleException(EntryName.SECTIONS + ": " + e.getMessage(), e);
        }
        throw new BundleException(EntryName.SECTIONS + " tells another content than the bundle has");
    }

    private static List<Absent> absent(JsonObject json) {
        var found = new ArrayList<Absent>();
        if (json.member("absent").orElse(JsonObject.EMPTY) instanceof JsonArray(List<JsonValue> items)) {
            for (var item : items) {
                if (item instanceof JsonObject object) {
                    found.add(new Absent(
                            object.text("section").orElse(""),
                            object.text("why").orElse("")));
                }
            }
        }
        return found;
    }
}
