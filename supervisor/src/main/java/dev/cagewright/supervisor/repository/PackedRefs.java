package dev.cagewright.supervisor.repository;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The file in which git keeps the values of many references, `packed-refs` of gitrepository-layout(5), one char a
/// byte. Immutable.
///
/// @param header the comment that git begins it with, or nothing
/// @param lines of each reference, by its name: its value, and what a tag of its leads to
record PackedRefs(String header, SortedMap<String, List<String>> lines) {
    private static final Pattern VALUE =
            Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64}) (refs/[^\\x00- ~^:?*\\[\\\\\\x7f]+)");
    private static final Pattern PEELED = Pattern.compile("\\^([0-9a-f]{40}|[0-9a-f]{64})");

    /// git-check-ref-format(1): no name of git's.
    private static final Pattern ODD_NAME = Pattern.compile("\\.\\.|@\\{|//|/\\.|\\.lock(/|$)|[./]$");

    /// What git would read; empty if it is not of git's making.
    private static Optional<PackedRefs> read(String text) {
        var header = "";
        var lines = new TreeMap<String, List<String>>();
        List<String> last = List.of();
        for (String line : text.lines().toList()) {
            var value = VALUE.matcher(line);
            if (line.startsWith("#") && lines.isEmpty()) {
                header = line + "\n";
            } else if (value.matches() && !ODD_NAME.matcher(value.group(2)).find()) {
                last = new ArrayList<>(List.of(line));
                lines.put(value.group(2), last);
            } else if (last.size() == 1 && PEELED.matcher(line).matches()) {
                last.add(line);
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(new PackedRefs(header, lines));
    }

    /// The present text with what a cage changed in its copy; what somebody else changed meanwhile stays as it is.
    ///
    /// @param base the text that the copy began with
    /// @param cage the text of the copy at the end
    /// @param now the present text
    /// @return empty if nothing changes, or one of them is not of git's making
    static Optional<String> merged(String base, String cage, String now) {
        var before = read(base);
        var copy = read(cage);
        var present = read(now);
        if (before.isEmpty() || copy.isEmpty() || present.isEmpty()) {
            return Optional.empty();
        }
        var result = new TreeMap<>(present.get().lines);
        var names = new TreeMap<>(before.get().lines);
        names.putAll(copy.get().lines);
        for (String name : names.keySet()) {
            var old = before.get().lines.get(name);
            if (Objects.equals(old, present.get().lines.get(name))) {
                put(result, name, copy.get().lines);
            }
        }
        if (result.equals(present.get().lines)) {
            return Optional.empty();
        }
        var header = now.isEmpty() ? copy.get().header : present.get().header;
        return Optional.of(new PackedRefs(header, result).text());
    }

    private static void put(SortedMap<String, List<String>> lines, String name, Map<String, List<String>> from) {
        var changed = from.get(name);
        if (changed == null) {
            lines.remove(name);
        } else {
            lines.put(name, changed);
        }
    }

    private String text() {
        var text = new StringBuilder(header);
        lines.values().forEach(each -> each.forEach(line -> text.append(line).append('\n')));
        return text.toString();
    }
}
