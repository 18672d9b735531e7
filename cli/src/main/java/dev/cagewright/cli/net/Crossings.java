package dev.cagewright.cli.net;

import dev.cagewright.audit.event.LogLine;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Set;

/// Puts the lines of a session's log together: what was decided with how it ended. Bounded: of more that last at once
/// than it holds, the oldest are told as open.
public final class Crossings {
    /// The actions that are told.
    public static final Set<String> KINDS = Set.of("http.request", "net.connect", "dns.lookup");

    /// A gateway has 8,192 connections of a cage at most, each with as many requests as HTTP/2 lets it.
    private static final int MOST_OPEN = 100_000;

    private final Sink sink;
    private final LinkedHashMap<String, LogLine> open = new LinkedHashMap<>();

    /// Hears of each, in the order in which they end.
    @FunctionalInterface
    public interface Sink {
        void take(Crossing crossing) throws IOException;
    }

    public Crossings(Sink sink) {
        this.sink = sink;
    }

    /// The next line of the session.
    public void take(LogLine line) throws IOException {
        var event = line.event();
        switch (event.kind()) {
            case INTENT -> {
                if (KINDS.contains(event.actionName())) {
                    decided(line);
                }
            }
            case OUTCOME -> {
                var begun = open.remove(event.origin().id());
                if (begun != null) {
                    sink.take(new Crossing(begun, line));
                }
            }
            case NOTE -> {
                if (event.actionName().equals(Crossing.REFUSED)) {
                    sink.take(new Crossing(line, null));
                }
            }
        }
    }

    private void decided(LogLine line) throws IOException {
        if (!line.event().ruling().decision().equals("allow")) {
            sink.take(new Crossing(line, null));
            return;
        }
        open.put(line.event().origin().id(), line);
        if (open.size() > MOST_OPEN) {
            var oldest = open.pollFirstEntry();
            sink.take(new Crossing(oldest.getValue(), null));
        }
    }

    /// There are no more lines: what is open is told as that.
    public void end() throws IOException {
        for (LogLine line : open.values()) {
            sink.take(new Crossing(line, null));
        }
        open.clear();
    }
}
