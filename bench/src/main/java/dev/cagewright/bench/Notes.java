package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// `bench/notes.md`, kept by hand: why a budget is missed, one line each, `- name: reason`.
///
/// @param reasons by the name of the [Budget]
record Notes(Map<String, String> reasons) {
    static Notes read(Path file) throws IOException {
        var reasons = new HashMap<String, String>();
        for (var line : Files.readAllLines(file)) {
            int colon = line.indexOf(": ");
            if (line.startsWith("- ") && colon > 0) {
                reasons.put(line.substring(2, colon), line.substring(colon + 2));
            }
        }
        return new Notes(Map.copyOf(reasons));
    }

    String why(Budget budget) {
        return reasons.getOrDefault(budget.name(), "not explained yet");
    }
}
