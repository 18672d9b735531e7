package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.journal.JournalTrace;
import java.util.ArrayList;
import java.util.List;

/// How often the policy was asked in a run, and what it refused.
///
/// @param allowed how many actions it allowed
/// @param denied how many it denied
/// @param denials the first of those, oldest first, at most [JournalTrace#MOST_DENIALS]
/// @param secrets those that the run was lent, by name
public record Decisions(long allowed, long denied, List<Denial> denials, List<Lent> secrets) {
    /// The most characters of all reasons together.
    private static final int LONGEST = 256 << 10;

    /// One refusal.
    ///
    /// @param id the decision's
    /// @param action its name, e.g. `proc.exec`; the log has the whole
    public record Denial(String id, String action, List<String> rules, String why) {
        public Denial {
            rules = List.copyOf(rules);
        }

        private JsonObject toJson() {
            return Json.object()
                    .put("id", id)
                    .put("action", action)
                    .put("rules", rules)
                    .put("why", why)
                    .build();
        }

        private static Denial read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var denial =
                    new Denial(members.text("id"), members.text("action"), members.texts("rules"), members.text("why"));
            members.end();
            return denial;
        }
    }

    /// A secret that the run could use, and how often it was allowed to.
    public record Lent(String name, long uses) {
        private JsonObject toJson() {
            return Json.object().put("name", name).put("uses", uses).build();
        }

        private static Lent read(String where, JsonValue json) throws ReceiptSyntaxException {
            var members = Members.of(where, json);
            var lent = new Lent(members.text("name"), members.count("uses"));
            members.end();
            return lent;
        }
    }

    /// Of a run that was lent no secret.
    public Decisions(long allowed, long denied, List<Denial> denials) {
        this(allowed, denied, denials, List.of());
    }

    public Decisions {
        secrets = List.copyOf(secrets);
        denials = List.copyOf(denials);
    }

    /// What a receipt says of `trace`.
    public static Decisions of(JournalTrace trace) {
        var denials = new ArrayList<Denial>();
        int length = 0;
        for (var one : trace.denials()) {
            length += one.why().length() + one.rules().size();
            if (length > LONGEST) {
                break;
            }
            denials.add(new Denial(one.id(), one.action(), one.rules(), one.why()));
        }
        var secrets = trace.secrets().entrySet().stream()
                .map(one -> new Lent(one.getKey(), one.getValue()))
                .toList();
        return new Decisions(trace.allowed(), trace.denied(), denials, secrets);
    }

    JsonObject toJson() {
        var json = Json.object()
                .put("allowed", allowed)
                .put("denied", denied)
                .put(
                        "denials",
                        new JsonArray(
                                denials.stream().<JsonValue>map(Denial::toJson).toList()));
        if (!secrets.isEmpty()) {
            json.put(
                    "secrets",
                    new JsonArray(secrets.stream().<JsonValue>map(Lent::toJson).toList()));
        }
        return json.build();
    }

    static Decisions read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var decisions = new Decisions(
                members.count("allowed"),
                members.count("denied"),
                members.list("denials", Denial::read),
                members.listOrNone("secrets", Lent::read));
        members.end();
        return decisions;
    }
}
