package dev.cagewright.mcp.http;

import dev.cagewright.supervisor.hatch.HatchRequest;
import java.util.HashSet;
import java.util.Locale;

/// In which forms a client takes an answer.
///
/// @param isJson as one JSON text
/// @param isStream as a stream of events
record Accepted(boolean isJson, boolean isStream) {
    static final String JSON = "application/json";
    static final String EVENTS = "text/event-stream";

    static Accepted by(HatchRequest request) {
        var types = new HashSet<String>();
        for (String range : request.field("accept").orElse("*/*").split(",", -1)) {
            types.add(type(range));
        }
        boolean isAny = types.contains("*/*");
        return new Accepted(
                isAny || types.contains(JSON) || types.contains("application/*"),
                isAny || types.contains(EVENTS) || types.contains("text/*"));
    }

    /// Is what `request` brings JSON?
    static boolean isJson(HatchRequest request) {
        return type(request.field("content-type").orElse("")).equals(JSON);
    }

    private static String type(String range) {
        int end = range.indexOf(';');
        return (end < 0 ? range : range.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
