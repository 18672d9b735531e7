package dev.cagewright.sandbox.gitconfig;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toUnmodifiableList;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The text of a configuration file, and where its settings stand in it; "CONFIGURATION FILE" of git-config(1), read
/// char by char as git does. Immutable. Texts hold one char a byte.
public final class ConfigText {
    private final String text;
    private final List<Found> found;
    private final List<Header> headers;
    private final Map<Setting, List<String>> values;
    private final boolean whole;

    /// @param from where its key begins
    /// @param to behind its value and a comment, before the end of the line
    record Found(Setting setting, int from, int to) {}

    /// @param place a setting without key and value
    /// @param to behind its bracket
    record Header(Setting place, int from, int to) {}

    private ConfigText(String text, Reader reader, boolean whole) {
        this.text = text;
        this.found = List.copyOf(reader.found);
        this.headers = List.copyOf(reader.headers);
        this.whole = whole;
        this.values = found.stream()
                .map(Found::setting)
                .collect(groupingBy(setting -> setting.with(""), mapping(Setting::value, toUnmodifiableList())));
    }

    /// Reads any text; where git would give up, reading ends, and what came before counts.
    public static ConfigText parse(String latin1) {
        var reader = new Reader(latin1);
        return new ConfigText(latin1, reader, reader.read());
    }

    /// All settings in their order.
    public List<Setting> settings() {
        return found.stream().map(Found::setting).toList();
    }

    /// False where git would refuse the file.
    public boolean isWhole() {
        return whole;
    }

    /// The whole text.
    public String text() {
        return text;
    }

    /// The text without any value of the setting that `name` names.
    public ConfigText without(Setting name) {
        return ConfigEdit.of(this, name, List.of());
    }

    List<Found> found() {
        return found;
    }

    List<Header> headers() {
        return headers;
    }

    /// All values of `name`, in order.
    List<String> values(Setting name) {
        return values.getOrDefault(name.with(""), List.of());
    }

    /// Reading stops with this.
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
    }

    private static final class Reader {
        private static final int END = -1;

        private final String text;
        private final List<Found> found = new ArrayList<>();
        private final List<Header> headers = new ArrayList<>();
        private String section = "";
        private int at;

        Reader(String text) {
            this.text = text;
        }

        boolean read() {
            try {
                at = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
                while (at < text.length()) {
                    readNext();
                }
                return true;
            } catch (Malformed _) {
                return false;
            }
        }

        private void readNext() throws Malformed {
            int from = at;
            int c = next();
            if (isSpace(c)) {
                return;
            }
            if (c == '#' || c == ';') {
                skipLine();
            } else if (c == '[') {
                readHeader(from);
            } else if (isLetter(c)) {
                readSetting(from);
            } else {
                throw new Malformed();
            }
        }

        /// The next char, a line end of two as one, [#END] behind the last.
        private int next() throws Malformed {
            if (at >= text.length()) {
                at = text.length() + 1;
                return END;
            }
            char c = text.charAt(at++);
            if (c == 0) {
                throw new Malformed();
            }
            if (c == '\r' && at < text.length() && text.charAt(at) == '\n') {
                at++;
                return '\n';
            }
            return c;
        }

        private static boolean isEnd(int c) {
            return c == '\n' || c == END;
        }

        private static boolean isSpace(int c) {
            return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == END;
        }

        private static boolean isLetter(int c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        }

        private static boolean isOfKey(int c) {
            return isLetter(c) || (c >= '0' && c <= '9') || c == '-';
        }

        private void skipLine() throws Malformed {
            int c = next();
            while (!isEnd(c)) {
                c = next();
            }
        }

        private void readHeader(int from) throws Malformed {
            var name = new StringBuilder();
            int c = next();
            while (c != ']' && !isSpace(c)) {
                if (!isOfKey(c) && c != '.') {
                    throw new Malformed();
                }
                name.append((char) c);
                c = next();
            }
            var lower = name.toString().toLowerCase(Locale.ROOT);
            section = c == ']' ? lower : lower + "." + quoted(c);
            headers.add(new Header(setting("", ""), from, at));
        }

        private String quoted(int space) throws Malformed {
            int c = space;
            while (isSpace(c)) {
                if (isEnd(c)) {
                    throw new Malformed();
                }
                c = next();
            }
            var name = new StringBuilder();
            if (c != '"') {
                throw new Malformed();
            }
            for (c = next(); c != '"'; c = next()) {
                c = c == '\\' ? next() : c;
                if (isEnd(c)) {
                    throw new Malformed();
                }
                name.append((char) c);
            }
            if (next() != ']') {
                throw new Malformed();
            }
            return name.toString();
        }

        private void readSetting(int from) throws Malformed {
            int keyEnd = from;
            while (keyEnd < text.length() && isOfKey(text.charAt(keyEnd))) {
                keyEnd++;
            }
            at = keyEnd;
            var key = text.substring(from, keyEnd).toLowerCase(Locale.ROOT);
            int c = next();
            while (c == ' ' || c == '\t') {
                c = next();
            }
            if (!isEnd(c) && c != '=') {
                throw new Malformed();
            }
            var value = isEnd(c) ? "true" : value();
            found.add(new Found(setting(key, value), from, lineEnd(from)));
        }

        /// Where the line ends whose end was just read.
        private int lineEnd(int from) {
            int end = Math.min(at, text.length());
            boolean hasEnd = at <= text.length() && end > from && text.charAt(end - 1) == '\n';
            end -= hasEnd ? 1 : 0;
            return hasEnd && text.charAt(end - 1) == '\r' ? end - 1 : end;
        }

        private Setting setting(String key, String value) {
            int dot = section.indexOf('.');
            return dot < 0
                    ? new Setting(section, "", key, value)
                    : new Setting(section.substring(0, dot), section.substring(dot + 1), key, value);
        }

        private String value() throws Malformed {
            var value = new StringBuilder();
            boolean inQuotes = false;
            int spaces = 0;
            for (int c = next(); !isEnd(c); c = next()) {
                if (!inQuotes && isSpace(c)) {
                    spaces += value.isEmpty() ? 0 : 1;
                    continue;
                }
                if (!inQuotes && (c == '#' || c == ';')) {
                    skipLine();
                    return value.toString();
                }
                value.repeat(' ', spaces);
                spaces = 0;
                if (c == '"') {
                    inQuotes = !inQuotes;
                } else if (c == '\\') {
                    escaped(value);
                } else {
                    value.append((char) c);
                }
            }
            if (inQuotes) {
                throw new Malformed();
            }
            return value.toString();
        }

        private void escaped(StringBuilder value) throws Malformed {
            int c = next();
            switch (c) {
                case '\n', END -> {}
                case 't' -> value.append('\t');
                case 'b' -> value.append('\b');
                case 'n' -> value.append('\n');
                case '\\', '"' -> value.append((char) c);
                default -> throw new Malformed();
            }
        }
    }
}
