package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.sandbox.Enforcement;
import java.util.List;

/// What the cage was made of and what of it really held.
///
/// @param asked the isolation that the policy asks for, one word
/// @param relaxations what was given up by name; empty when nothing was
/// @param held what held and what did not; nothing of both when no cage was built
/// @param places what the workload saw of the host besides the system; empty when no cage was planned
public record CageStated(String asked, List<String> relaxations, Enforcement held, List<Place> places) {
    /// One place in the cage's tree.
    ///
    /// @param at where the workload saw it, printable
    /// @param source what it was: `host PATH`, `memory`, `copy of PATH`, printable
    /// @param access `ro` or `rw`
    public record Place(String at, String source, String access) {
        private JsonObject toJson() {
            return Json.object()
                    .put("at", at)
                    .put("source", source)
                    .put("access", access)
                    .build();
        }

        private static Place read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var place = new Place(members.text("at"), members.text("source"), members.text("access"));
            members.end();
            return place;
        }
    }

    public CageStated {
        relaxations = List.copyOf(relaxations);
        places = List.copyOf(places);
    }

    JsonObject toJson() {
        return Json.object()
                .put("asked", asked)
                .put("relaxations", relaxations)
                .put(
                        "enforced",
                        list(held.enforced().stream().map(CageStated::json).toList()))
                .put("gaps", list(held.gaps().stream().map(CageStated::json).toList()))
                .put("places", list(places.stream().map(Place::toJson).toList()))
                .build();
    }

    private static JsonArray list(List<JsonObject> items) {
        return new JsonArray(List.copyOf(items));
    }

    private static JsonObject json(Enforcement.Enforced one) {
        return Json.object()
                .put("limit", one.limit())
                .put("mechanism", one.mechanism())
                .put("value", one.value())
                .build();
    }

    private static JsonObject json(Enforcement.Gap gap) {
        return Json.object()
                .put("limit", gap.limit())
                .put("reason", gap.reason())
                .put("remedy", gap.remedy())
                .build();
    }

    static CageStated read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var asked = members.text("asked");
        var relaxations = members.texts("relaxations");
        var enforced = members.list("enforced", CageStated::enforced);
        var gaps = members.list("gaps", CageStated::gap);
        var places = members.list("places", Place::read);
        members.end();
        return new CageStated(asked, relaxations, new Enforcement(enforced, gaps), places);
    }

    private static Enforcement.Enforced enforced(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var one = new Enforcement.Enforced(members.text("limit"), members.text("mechanism"), members.text("value"));
        members.end();
        return one;
    }

    private static Enforcement.Gap gap(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var gap = new Enforcement.Gap(members.text("limit"), members.text("reason"), members.text("remedy"));
        members.end();
        return gap;
    }
}
