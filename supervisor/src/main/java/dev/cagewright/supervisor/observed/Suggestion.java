package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.Remedy;
import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.supervisor.journal.ActionText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What a session was denied, or was let through only to be learned, as the narrowest lines of a policy that would
/// allow it, each once, and what no line allows.
/// It changes nothing: a person reads it and takes what is meant. Immutable.
///
/// @param lines by where they go
/// @param never denials that no line of a policy allows, or that need more than a line
public record Suggestion(List<Line> lines, List<Never> never) {
    /// The decisions that are named for each.
    private static final int NAMED = 3;

    /// The keys above an entry of `net.hosts`.
    private static final List<String> HOSTS = List.of("net:", "  hosts:");

    private static final List<String> TOOLS = List.of("mcp:", "  tools:");

    private static final String SPECIAL = "its address is of a special purpose, and no rule of net.hosts opens that";

    private static final String UNNAMEABLE = "no entry of mcp.tools can name it and nothing else";

    public Suggestion {
        lines = List.copyOf(lines);
        never = List.copyOf(never);
    }

    /// A line and what it is for.
    ///
    /// @param section the keys above it, e.g. `net:` and `  hosts:`
    /// @param item the line itself, set in
    public record Line(List<String> section, String item, Because because) {
        /// The keys and the line.
        String yaml() {
            return String.join("\n", section) + "\n" + item + "\n";
        }
    }

    /// A denial that stays one.
    ///
    /// @param what the action in one line
    public record Never(String what, String why, List<String> rules, Because because) {}

    /// The decisions behind it.
    ///
    /// @param first some of them, oldest first
    public record Because(int count, List<DecisionId> first) {
        static final Because NOTHING = new Because(0, List.of());

        Because and(DecisionId id) {
            return and(new Because(1, List.of(id)));
        }

        Because and(Because more) {
            var named = Stream.concat(first.stream(), more.first.stream()).limit(NAMED);
            return new Because(count + more.count, named.toList());
        }

        /// As a comment says it.
        String text() {
            var ids = String.join(", ", first.stream().map(DecisionId::value).toList());
            return count > first.size() ? ids + " and " + (count - first.size()) + " more" : ids;
        }
    }

    private record Place(List<String> section, String item) {}

    private record Wall(String what, String why, List<String> rules) {}

    /// Of the decisions of one session, or of several: what was denied, and what observing alone let through.
    public static Suggestion of(List<PastDecision> decisions) {
        var lines = new LinkedHashMap<Place, Because>();
        var requests = new RequestLines();
        var never = new LinkedHashMap<Wall, Because>();
        for (PastDecision past : decisions) {
            if (past.isObserved()) {
                observed(past, lines, requests, never);
            } else if (past.isDenied()) {
                denied(past, lines, requests, never);
            }
        }
        if (requests.leftOut() > 0) {
            count(
                    never,
                    new Wall(requests.leftOut() + " more hosts", "too many", List.of()),
                    decisions.getLast().id());
        }
        var all = new ArrayList<>(requests.lines());
        lines.forEach((place, because) -> all.add(new Line(place.section(), place.item(), because)));
        return new Suggestion(
                all, never.entrySet().stream().map(Suggestion::never).toList());
    }

    private static void observed(
            PastDecision past, Map<Place, Because> lines, RequestLines requests, Map<Wall, Because> never) {
        switch (past.action()) {
            case Action.HttpRequest request
            when RequestLines.isOpenable(request.host()) -> requests.add(HOSTS, request, past.id());
            case Action.NetConnect connection
            when RequestLines.isOpenable(connection.host()) -> requests.add(HOSTS, connection, past.id());
            case Action.HttpRequest _, Action.NetConnect _ ->
                count(never, new Wall(ActionText.of(past.action()), SPECIAL, past.rules()), past.id());
            case Action.McpCall(String server, String tool)
            when NamePattern.isNameable(server) && NamePattern.isNameable(tool) ->
                count(lines, tool(server, tool), past.id());
            case Action.McpCall _ ->
                count(never, new Wall(ActionText.of(past.action()), UNNAMEABLE, past.rules()), past.id());
            default -> {
                // a name that was looked up on the way to a request
            }
        }
    }

    private static Place tool(String server, String tool) {
        var yaml = new Remedy.AddTool(server, tool).yaml().lines().toList();
        return new Place(TOOLS, yaml.getLast());
    }

    private static void denied(
            PastDecision past, Map<Place, Because> lines, RequestLines requests, Map<Wall, Because> never) {
        var yaml = past.wouldAllow();
        if (!isLine(yaml)) {
            count(never, new Wall(ActionText.of(past.action()), past.why(), past.rules()), past.id());
            return;
        }
        var section = List.copyOf(yaml.subList(0, yaml.size() - 1));
        if (past.action() instanceof Action.HttpRequest request) {
            requests.add(section, request, past.id());
        } else {
            count(lines, new Place(section, yaml.getLast()), past.id());
        }
    }

    private static Never never(Map.Entry<Wall, Because> each) {
        var wall = each.getKey();
        return new Never(wall.what(), wall.why(), wall.rules(), each.getValue());
    }

    private static <K> void count(Map<K, Because> counted, K what, DecisionId id) {
        counted.put(what, counted.getOrDefault(what, Because.NOTHING).and(id));
    }

    /// An item below keys, with nothing for a person to fill in.
    private static boolean isLine(List<String> yaml) {
        return yaml.size() > 1
                && yaml.getLast().stripLeading().startsWith("- ")
                && yaml.stream().noneMatch(line -> line.startsWith("#") || line.contains("SOURCE"));
    }

    /// As text: YAML with comments.
    public String text() {
        var text = new StringBuilder();
        var sections = new LinkedHashMap<List<String>, List<Line>>();
        lines.forEach(line ->
                sections.computeIfAbsent(line.section(), _ -> new ArrayList<>()).add(line));
        sections.forEach((section, items) -> {
            section.forEach(key -> text.append(key).append('\n'));
            for (Line line : items) {
                text.append(line.item())
                        .append("   # ")
                        .append(line.because().text())
                        .append('\n');
            }
        });
        for (Never each : never) {
            text.append("# no line allows: ")
                    .append(ByteString.of(each.what()).printable())
                    .append(" (")
                    .append(String.join(", ", each.rules()))
                    .append("; ")
                    .append(each.because().text())
                    .append(")\n");
        }
        return text.toString();
    }

    public JsonObject toJson() {
        return Json.object()
                .put("lines", lines.stream().map(Suggestion::json).toList())
                .put("never", never.stream().map(Suggestion::json).toList())
                .build();
    }

    private static JsonObject json(Line line) {
        var yaml = new ArrayList<>(line.section());
        yaml.add(line.item());
        return with(Json.object().put("yaml", yaml), line.because());
    }

    private static JsonObject json(Never never) {
        return with(
                Json.object().put("what", never.what()).put("why", never.why()).put("rules", never.rules()),
                never.because());
    }

    private static JsonObject with(JsonObject.Builder json, Because because) {
        return json.put("count", because.count())
                .put(
                        "decisions",
                        because.first().stream().map(DecisionId::value).toList())
                .build();
    }
}
