package dev.cagewright.audit.chain;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Event.Kind;

/// The names of the actions that only the log itself takes.
public final class LogActions {
    /// The first line of a log; its detail carries the log's id.
    public static final String BEGIN = Event.RESERVED + "begin";

    /// The last line of a log, for ever.
    public static final String PANIC = Event.RESERVED + "panic";

    /// A torn tail was set aside.
    public static final String REPAIR = Event.RESERVED + "repair";

    /// A seal over all lines above it.
    public static final String SEAL = Event.RESERVED + "seal";

    private LogActions() {}

    static boolean is(String name, Event event) {
        return event.kind() == Kind.NOTE && event.actionName().equals(name);
    }
}
