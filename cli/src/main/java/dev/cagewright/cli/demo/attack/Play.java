package dev.cagewright.cli.demo.attack;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One run of one part of the program.
///
/// @param session the run's id
/// @param told what `run --json` printed
/// @param said what the program said of each attempt, by its id; not to be trusted
/// @param events of the session in the log, oldest first
record Play(String session, JsonObject told, Map<String, Saying> said, List<JsonObject> events) {
    /// The program's word for how it went.
    record Saying(String word, String detail) {}

    /// The product's own commands in other folders, their output kept.
    @FunctionalInterface
    interface Stagehand {
        /// Runs one command line to its end.
        Ran run(Map<String, String> folders, String... words);
    }

    /// What a command left.
    record Ran(int exit, String out, String err) {}

    static Play perform(Ground ground, String part, Stagehand hands) throws IOException {
        var ran = hands.run(
                ground.folders(),
                "run",
                "--json",
                "--policy",
                ground.policy(part).toString(),
                "--workspace",
                ground.workspace().toString(),
                "--",
                "python3",
                ground.workspace().resolve("agent.py").toString(),
                "facts.json",
                part);
        var told = object(ran.out().strip());
        if (!hasRun(told)) {
            throw new IOException("the agent did not start; it needs python3, and a cage: "
                    + ran.out().strip() + ran.err().strip());
        }
        var session = told.member("decision")
                .flatMap(decision -> ((JsonObject) decision).text("id"))
                .map(id -> id.substring(0, id.lastIndexOf('-')))
                .orElse("");
        return new Play(session, told, said(told.text("stdout").orElse("")), events(ground, session, hands));
    }

    private static boolean hasRun(JsonObject told) {
        return told.member("result").orElse(null) instanceof JsonObject result
                && result.member("ran").map(JsonValue::write).orElse("").equals("true");
    }

    private static Map<String, Saying> said(String output) {
        var said = new LinkedHashMap<String, Saying>();
        for (String line : output.split("\n", -1)) {
            var columns = line.split("\t", 3);
            if (columns.length == 3) {
                said.put(columns[0], new Saying(columns[1], columns[2]));
            }
        }
        return said;
    }

    private static List<JsonObject> events(Ground ground, String session, Stagehand hands) throws IOException {
        var ran = hands.run(ground.folders(), "audit", "events", "--json", "--limit", "1000", "--session", session);
        var events = new ArrayList<JsonObject>();
        for (String line : ran.out().lines().toList()) {
            events.addFirst(object(line));
        }
        return List.copyOf(events);
    }

    private static JsonObject object(String text) throws IOException {
        try {
            if (Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonSyntaxException e) {
            throw new IOException("not a JSON object: " + text, e);
        }
        throw new IOException("not a JSON object: " + text);
    }

    /// The run's outcome.
    JsonObject result() {
        return told.member("result").map(JsonObject.class::cast).orElse(JsonObject.EMPTY);
    }

    /// A list of the outcome's.
    List<JsonValue> listed(String name) {
        return result().member(name)
                .map(JsonArray.class::cast)
                .map(JsonArray::items)
                .orElse(List.of());
    }
}
