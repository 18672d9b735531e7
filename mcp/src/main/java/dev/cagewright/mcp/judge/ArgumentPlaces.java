package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.schema.Pointer;
import java.util.ArrayList;
import java.util.List;

/// Where the arguments are that an entry of a policy names: a member's name, or a JSON pointer in which `*` stands for
/// every item or member.
final class ArgumentPlaces {
    /// An entry may lead to so many.
    private static final int MOST = 10_000;

    private ArgumentPlaces() {}

    /// One text.
    ///
    /// @param pointer RFC 6901
    record Place(String pointer, String text) {}

    /// Every text at `name`. One that is not there is none; a list is all of its items, and an empty one, or null,
    /// none.
    ///
    /// @throws OddArgumentException if something there is no text
    static List<Place> at(JsonObject arguments, String name) throws OddArgumentException {
        var steps = name.startsWith("/") ? List.of(name.substring(1).split("/", -1)) : List.of(escaped(name));
        var found = new ArrayList<Place>();
        collect(arguments, "", steps, found);
        return found;
    }

    /// A name is a name, and a `*` in it is one.
    private static String escaped(String name) {
        return Pointer.child("", name).substring(1);
    }

    private static void collect(JsonValue value, String pointer, List<String> steps, List<Place> found)
            throws OddArgumentException {
        if (steps.isEmpty()) {
            take(value, pointer, found);
            return;
        }
        var step = steps.getFirst();
        var rest = steps.subList(1, steps.size());
        switch (value) {
            case JsonObject object -> {
                for (var member : object.members().entrySet()) {
                    if (step.equals("*") || member.getKey().equals(Pointer.name(step))) {
                        collect(member.getValue(), Pointer.child(pointer, member.getKey()), rest, found);
                    }
                }
            }
            case JsonArray(List<JsonValue> items) -> {
                for (int i = 0; i < items.size(); i++) {
                    if (step.equals("*") || step.equals(String.valueOf(i))) {
                        collect(items.get(i), pointer + "/" + i, rest, found);
                    }
                }
            }
            default -> {}
        }
    }

    private static void take(JsonValue value, String pointer, List<Place> found) throws OddArgumentException {
        switch (value) {
            case JsonString(String text) -> found.add(new Place(pointer, text));
            case JsonArray(List<JsonValue> items) -> {
                for (int i = 0; i < items.size(); i++) {
                    take(items.get(i), pointer + "/" + i, found);
                }
            }
            case JsonNull _ -> {}
            default -> throw new OddArgumentException(pointer, "is no text, and has to be one to be judged");
        }
        if (found.size() > MOST) {
            throw new OddArgumentException(pointer, "is one of more than " + MOST + " that would have to be judged");
        }
    }
}
