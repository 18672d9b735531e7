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
public record Decisions(long allowed, long denied, List<Denial> denials) {
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

    public Decisions {
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
        return new Decisions(trace.allowed(), trace.denied(), denials);
    }

    JsonObject toJson() {
        return Json.object()
                .put("allowed", allowed)
                .put("denied", denied)
                .put(
                        "denials",
                        new JsonArray(
                                denials.stream().<JsonValue>map(Denial::toJson).toList()))
                .build();
    }

    static Decisions read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var decisions =
                new Decisions(members.count("allowed"), members.count("denied"), members.list("denials", Denial::read));
        members.end();
        return decisions;
    }
}
