package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.List;

/// What is shown of a text that a cage may have chosen: nothing that moves a cursor, and not more than a person reads.
/// The
/// digest covers all of it.
final class Bounded {
    private static final int MOST = 2_000;
    private static final int MOST_LINES = 40;

    private Bounded() {}

    /// A line that is safe already, cut where it is too long.
    static String line(String safe) {
        return safe.length() <= MOST
                ? safe
                : safe.substring(0, MOST) + " ... (" + (safe.length() - MOST) + " characters more)";
    }

    /// Lines made safe, cut, and not too many.
    static List<String> lines(List<String> lines) {
        var shown = lines.stream()
                .limit(MOST_LINES)
                .map(line -> line(ByteString.of(line).printable()))
                .toList();
        if (lines.size() <= MOST_LINES) {
            return shown;
        }
        var all = new ArrayList<>(shown);
        all.add("... (" + (lines.size() - MOST_LINES) + " lines more)");
        return all;
    }
}
