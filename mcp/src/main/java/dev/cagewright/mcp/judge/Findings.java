package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;

/// What was found in something that a server said, by kind; never the thing itself. For one thread until it is handed
/// on, and not changed after.
public final class Findings {
    /// Different kinds that are told.
    private static final int MOST_KINDS = 64;

    /// What was done about it.
    public enum Deed {
        FLAGGED("flagged"),
        REMOVED("removed"),
        REDACTED("redacted"),
        BLOCKED("blocked");

        private final String word;

        Deed(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    private final Map<Deed, Map<String, Long>> found = new TreeMap<>();

    Findings() {}

    void add(Deed deed, String kind, long count) {
        var kinds = found.computeIfAbsent(deed, _ -> new TreeMap<>());
        if (kinds.size() < MOST_KINDS || kinds.containsKey(kind)) {
            kinds.merge(kind, count, Long::sum);
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    boolean blocks() {
        return found.containsKey(Deed.BLOCKED);
    }

    /// How often each kind was met, for one deed.
    public Map<String, Long> of(Deed deed) {
        return Map.copyOf(found.getOrDefault(deed, Map.of()));
    }

    /// A member for each deed: kinds and how often.
    void tell(JsonObject.Builder json) {
        found.forEach((deed, kinds) -> json.put(deed.word(), kinds));
    }

    /// The same by itself.
    public JsonObject json() {
        var json = Json.object();
        tell(json);
        return json.build();
    }
}
