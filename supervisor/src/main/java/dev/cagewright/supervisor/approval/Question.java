package dev.cagewright.supervisor.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/// One action that waits for a person.
///
/// @param id the decision's
/// @param cage the cage's name
/// @param action its name, e.g. `proc.exec`
/// @param what the action in one line, safe on a terminal
/// @param lines what else of it counts, safe on a terminal
/// @param digest SHA-256 of the exact object, 64 hexadecimal digits
/// @param rules that ask
/// @param until when silence becomes denial; for the eye, the run itself counts by a clock that nobody sets
public record Question(
        DecisionId id,
        String cage,
        String action,
        String what,
        List<String> lines,
        String digest,
        List<String> rules,
        Instant asked,
        Instant until) {
    /// The largest question, bytes.
    static final int MOST = 256 << 10;

    public Question {
        lines = List.copyOf(lines);
        rules = List.copyOf(rules);
    }

    public JsonObject toJson() {
        return Json.object()
                .put("id", id.value())
                .put("cage", cage)
                .put("action", action)
                .put("what", what)
                .put("lines", lines)
                .put("digest", digest)
                .put("rules", rules)
                .put("asked", asked.toString())
                .put("until", until.toString())
                .build();
    }

    /// Reads one.
    ///
    /// @throws IOException if it is no question, or not all of one
    public static Question parse(byte[] text) throws IOException {
        try {
            if (Json.parse(text, MOST) instanceof JsonObject json) {
                return new Question(
                        new DecisionId(text(json, "id")),
                        text(json, "cage"),
                        text(json, "action"),
                        text(json, "what"),
                        texts(json, "lines"),
                        text(json, "digest"),
                        texts(json, "rules"),
                        Instant.parse(text(json, "asked")),
                        Instant.parse(text(json, "until")));
            }
        } catch (JsonSyntaxException | IllegalArgumentException | DateTimeException e) {
            throw new IOException("question: " + e.getMessage(), e);
        }
        throw new IOException("question: not an object");
    }

    private static String text(JsonObject json, String member) throws IOException {
        return json.text(member).orElseThrow(() -> new IOException("question: no \"" + member + "\""));
    }

    private static List<String> texts(JsonObject json, String member) throws IOException {
        if (json.member(member).orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items.stream()
                    .map(item -> item instanceof JsonString(String word) ? word : "?")
                    .toList();
        }
        throw new IOException("question: no \"" + member + "\"");
    }
}
