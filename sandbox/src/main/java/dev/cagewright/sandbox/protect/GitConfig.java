package dev.cagewright.sandbox.protect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A git configuration file, read without git, as in "CONFIGURATION FILE" of git-config(1). A line that git would
/// refuse is left out here.
record GitConfig(List<Entry> entries) {

    /// @param section lower case, e.g. `core`
    /// @param subsection as written, `""` for none
    /// @param key lower case, e.g. `hookspath`
    record Entry(String section, String subsection, String key, String value) {
        String name() {
            return section + (subsection.isEmpty() ? "" : "." + subsection) + "." + key;
        }
    }

    private static final Pattern HEADER =
            Pattern.compile("\\[\\s*([A-Za-z0-9.-]+)\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\")?\\s*](.*)", Pattern.DOTALL);

    /// Keys whose value git hands to a shell or starts, by `section.key`.
    private static final Set<String> PROGRAMS = Set.of(
            "core.fsmonitor",
            "core.sshcommand",
            "core.editor",
            "core.pager",
            "core.askpass",
            "core.gitproxy",
            "core.alternaterefscommand",
            "diff.external",
            "diff.command",
            "diff.textconv",
            "merge.driver",
            "filter.clean",
            "filter.smudge",
            "filter.process",
            "gpg.program",
            "gpg.defaultkeycommand",
            "credential.helper",
            "sequence.editor",
            "uploadpack.packobjectshook",
            "remote.uploadpack",
            "remote.receivepack",
            "interactive.difffilter",
            "browser.cmd",
            "man.cmd",
            "difftool.cmd",
            "mergetool.cmd",
            "trailer.command",
            "trailer.cmd",
            "sendemail.smtpserver",
            "web.browser",
            "instaweb.httpd");

    /// @param text one char each byte
    static GitConfig parse(String text) {
        var entries = new ArrayList<Entry>();
        var section = "";
        var subsection = "";
        for (String line : logicalLines(text)) {
            var rest = line.strip();
            var header = HEADER.matcher(rest);
            if (header.matches()) {
                var name = header.group(1).toLowerCase(Locale.ROOT);
                int dot = name.indexOf('.');
                section = dot < 0 ? name : name.substring(0, dot);
                subsection = header.group(2) == null ? (dot < 0 ? "" : name.substring(dot + 1)) : header.group(2);
                rest = header.group(3).strip();
            }
            if (!rest.isEmpty() && rest.charAt(0) != '#' && rest.charAt(0) != ';' && !section.isEmpty()) {
                entries.add(entry(section, subsection.replaceAll("\\\\(.)", "$1"), rest));
            }
        }
        return new GitConfig(List.copyOf(entries));
    }

    /// A backslash at the end of a line joins it with the next one.
    private static List<String> logicalLines(String text) {
        var lines = new ArrayList<String>();
        var pending = new StringBuilder();
        for (String line : text.split("\r?\n", -1)) {
            int slashes = 0;
            while (slashes < line.length() && line.charAt(line.length() - 1 - slashes) == '\\') {
                slashes++;
            }
            if (slashes % 2 == 1) {
                pending.append(line, 0, line.length() - 1);
            } else {
                lines.add(pending.append(line).toString());
                pending.setLength(0);
            }
        }
        lines.add(pending.toString());
        return lines;
    }

    private static Entry entry(String section, String subsection, String line) {
        int equals = line.indexOf('=');
        var key = (equals < 0 ? line : line.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
        return new Entry(section, subsection, key, equals < 0 ? "true" : value(line.substring(equals + 1)));
    }

    private static String value(String raw) {
        var out = new StringBuilder();
        boolean quoted = false;
        int kept = 0;
        var text = raw.stripLeading();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!quoted && (c == '#' || c == ';')) {
                break;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && i + 1 < text.length()) {
                out.append(escaped(text.charAt(++i)));
            } else {
                out.append(c);
            }
            kept = quoted || !Character.isWhitespace(c) ? out.length() : kept;
        }
        out.setLength(Math.min(kept, out.length()));
        return out.toString();
    }

    private static char escaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'b' -> '\b';
            default -> c;
        };
    }

    /// The last value of `section.key`, which is the one that counts.
    Optional<String> last(String section, String key) {
        return entries.stream()
                .filter(entry -> entry.section.equals(section) && entry.subsection.isEmpty() && entry.key.equals(key))
                .map(Entry::value)
                .reduce((_, later) -> later);
    }

    boolean isOn(String section, String key) {
        return last(section, key)
                .filter(value -> Set.of("true", "yes", "on", "1").contains(value.toLowerCase(Locale.ROOT)))
                .isPresent();
    }

    /// The files that `include` and `includeIf` name, whatever the condition.
    List<String> includes() {
        return entries.stream()
                .filter(entry -> entry.key.equals("path")
                        && Set.of("include", "includeif").contains(entry.section))
                .map(Entry::value)
                .toList();
    }

    /// The entries that make git start something.
    List<Entry> programs() {
        return entries.stream().filter(GitConfig::startsSomething).toList();
    }

    private static boolean startsSomething(Entry entry) {
        if (entry.section.equals("alias")) {
            return entry.value.startsWith("!");
        }
        if (entry.section.equals("pager")) {
            return !Set.of("true", "false").contains(entry.value);
        }
        if (entry.name().equals("core.fsmonitor")) {
            return !Set.of("true", "false", "").contains(entry.value);
        }
        boolean program = PROGRAMS.contains(entry.section + "." + entry.key) || entry.key.equals("program");
        return program || entry.name().equals("core.hookspath");
    }
}
