package dev.cagewright.supervisor.registries;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// `key = value` lines in sections, as npm and pip write them: `#` and `;` begin comments, an indented line goes on
/// with
/// the value before it.
///
/// @param pairs in the order of the file; the section of those before the first one is empty
record IniText(List<Pair> pairs) {
    record Pair(String section, String key, String value) {}

    IniText {
        pairs = List.copyOf(pairs);
    }

    static IniText of(String text) {
        var pairs = new ArrayList<Pair>();
        var section = "";
        for (String line : text.lines().toList()) {
            var bare = line.strip();
            if (bare.isEmpty() || bare.startsWith("#") || bare.startsWith(";")) {
                continue;
            }
            if (bare.startsWith("[") && bare.endsWith("]")) {
                section = bare.substring(1, bare.length() - 1).strip().toLowerCase(Locale.ROOT);
            } else if (Character.isWhitespace(line.charAt(0)) && !pairs.isEmpty()) {
                var last = pairs.removeLast();
                pairs.add(new Pair(last.section(), last.key(), last.value() + "\n" + bare));
            } else {
                pairs.add(pair(section, bare));
            }
        }
        return new IniText(pairs);
    }

    private static Pair pair(String section, String line) {
        int end = line.indexOf('=');
        if (end < 0) {
            end = line.indexOf(':');
        }
        return end < 0
                ? new Pair(section, line, "")
                : new Pair(
                        section,
                        line.substring(0, end).strip(),
                        unquoted(line.substring(end + 1).strip()));
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1
                && (value.charAt(0) == '"' || value.charAt(0) == '\'')
                && value.charAt(value.length() - 1) == value.charAt(0);
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }
}
