package dev.cagewright.cli.net;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.net.CageDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a session had used of its budgets when each of its phases ended, from the notes of its log.
public final class BudgetRows {
    private static final String ROW = "%-44s %s";

    private final List<JsonObject> rows = new ArrayList<>();

    /// The next line of the session.
    public void take(LogLine line) {
        var event = line.event();
        if (event.kind() == Event.Kind.NOTE
                && event.actionName().equals(CageDoor.BUDGETS)
                && event.detail().member("budgets").orElse(null) instanceof JsonArray all) {
            for (var one : all.items()) {
                if (one instanceof JsonObject row) {
                    rows.add(row);
                }
            }
        }
    }

    /// A table, its head first; empty where there are no budgets.
    List<String> lines() {
        var lines = new ArrayList<String>();
        for (JsonObject row : rows) {
            if (lines.isEmpty()) {
                lines.add(String.format(Locale.ROOT, ROW, "BUDGET", "USED"));
            }
            lines.add(String.format(Locale.ROOT, ROW, name(row), text(row, "text")));
        }
        return lines;
    }

    /// One sentence a budget, escaped.
    public List<String> sentences() {
        return rows.stream().map(row -> name(row) + ": " + text(row, "text")).toList();
    }

    /// A layer or a phase is named where it is not the usual one.
    private static String name(JsonObject row) {
        var layer = text(row, "layer");
        var phase = text(row, "phase");
        return text(row, "rule")
                + (layer.equals("project") ? "" : " (" + layer + ")")
                + (phase.equals("run") ? "" : " (" + phase + ")");
    }

    private static String text(JsonObject row, String member) {
        return ByteString.of(row.text(member).orElse("?")).printable();
    }

    /// The same, each row with `budget` for its rule.
    public List<JsonObject> json() {
        return rows.stream()
                .map(row -> {
                    var json = Json.object().put("budget", text(row, "rule"));
                    row.members().forEach((name, value) -> {
                        if (!name.equals("rule") && !name.equals("text")) {
                            json.put(name, value);
                        }
                    });
                    return json.build();
                })
                .toList();
    }
}
