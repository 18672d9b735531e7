package dev.cagewright.mcp.record;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a log says happened, for tests.
public final class RecordedEvents {
    private RecordedEvents() {}

    /// The oldest first, without what the log says of itself.
    public static List<Event> of(Path log) throws IOException {
        var found = new ArrayList<Event>();
        new EventReader(log).newestFirst(EventQuery.ALL, line -> {
            if (line instanceof StoredLine.Whole(LogLine whole)
                    && !whole.event().actionName().startsWith(Event.RESERVED)) {
                found.addFirst(whole.event());
            }
        });
        return found;
    }
}
