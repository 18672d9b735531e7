package dev.cagewright.audit.chain;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The allowed intents whose outcome was not seen yet. Bounded. Not safe for several threads.
public final class OpenIntents {
    /// How many are remembered at once; what comes above is not reported.
    public static final int MAX = 100_000;

    private final Set<String> ids = new LinkedHashSet<>();

    /// None was seen yet.
    public OpenIntents() {}

    public void take(LogLine line) {
        var event = line.event();
        var id = event.origin().id();
        switch (event.kind()) {
            case INTENT -> {
                boolean acts = event.ruling().decision().equals(Event.Ruling.ALLOW);
                if (acts && !id.isEmpty() && ids.size() < MAX) {
                    ids.add(id);
                }
            }
            case OUTCOME -> ids.remove(id);
            case NOTE -> {}
        }
    }

    /// Their decision ids, oldest first.
    public List<String> ids() {
        return List.copyOf(ids);
    }
}
