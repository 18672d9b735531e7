package dev.cagewright.sandbox.gitconfig;

import java.util.List;
import java.util.Optional;

/// Changes the values of one setting in a text and leaves everything else, comments too, as it is. What it writes is
/// quoted, so that it reads back as what it was, whatever it holds.
final class ConfigEdit {
    private ConfigEdit() {}

    /// `before` with exactly `values` for `name`, in this order.
    static ConfigText of(ConfigText before, Setting name, List<String> values) {
        var text = new StringBuilder(before.text());
        var old = before.found().stream()
                .filter(found -> found.setting().isNamedLike(name))
                .toList();
        for (int i = old.size() - 1; i >= values.size(); i--) {
            remove(text, old.get(i));
        }
        for (int i = Math.min(old.size(), values.size()) - 1; i >= 0; i--) {
            var one = old.get(i);
            if (!one.setting().value().equals(values.get(i))) {
                text.replace(one.from(), one.to(), line(name.with(values.get(i))));
            }
        }
        var kept = ConfigText.parse(text.toString());
        if (values.isEmpty() && !old.isEmpty()) {
            return withoutEmpty(kept, name);
        }
        for (int i = old.size(); i < values.size(); i++) {
            kept = added(kept, name.with(values.get(i)));
        }
        return kept;
    }

    private static void remove(StringBuilder text, ConfigText.Found one) {
        int from = one.from();
        while (from > 0 && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
            from--;
        }
        boolean isAlone = from == 0 || text.charAt(from - 1) == '\n';
        int to = one.to();
        if (isAlone && to < text.length()) {
            to += text.charAt(to) == '\r' ? 2 : 1;
        }
        text.delete(isAlone ? from : one.from(), Math.min(to, text.length()));
    }

    private static ConfigText added(ConfigText before, Setting setting) {
        var text = new StringBuilder(before.text());
        var header = before.headers().stream()
                .filter(one -> one.place().isIn(setting))
                .reduce((_, later) -> later);
        if (header.isEmpty()) {
            if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                text.append('\n');
            }
            text.append(header(setting)).append("\n\t").append(line(setting)).append('\n');
        } else {
            insert(text, before, header.get(), setting);
        }
        return ConfigText.parse(text.toString());
    }

    private static void insert(StringBuilder text, ConfigText before, ConfigText.Header header, Setting setting) {
        int next = end(before, header);
        Optional<ConfigText.Found> last = before.found().stream()
                .filter(found -> found.from() >= header.to() && found.from() < next)
                .reduce((_, later) -> later);
        int at = last.map(ConfigText.Found::to).orElse(header.to());
        boolean isLineEnd = at >= text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r';
        text.insert(at, "\n\t" + line(setting) + (isLineEnd ? "" : "\n"));
    }

    /// Where the section of `header` ends: at the next header, or the end.
    private static int end(ConfigText text, ConfigText.Header header) {
        return text.headers().stream()
                .mapToInt(ConfigText.Header::from)
                .filter(from -> from > header.from())
                .findFirst()
                .orElse(text.text().length());
    }

    /// Takes headers of `place` away that nothing but space follows.
    private static ConfigText withoutEmpty(ConfigText before, Setting place) {
        var text = new StringBuilder(before.text());
        for (var header : before.headers().reversed()) {
            int end = end(before, header);
            if (header.place().isIn(place)
                    && before.text().substring(header.to(), end).isBlank()) {
                text.delete(header.from(), end);
            }
        }
        return ConfigText.parse(text.toString());
    }

    private static String header(Setting setting) {
        var quoted = setting.subsection().replace("\\", "\\\\").replace("\"", "\\\"");
        return "[" + setting.section() + (quoted.isEmpty() ? "" : " \"" + quoted + "\"") + "]";
    }

    private static String line(Setting setting) {
        var value = setting.value();
        if (value.matches("[A-Za-z0-9./:@_+*,~^-]([A-Za-z0-9./:@_+*=,~^ -]*[A-Za-z0-9./:@_+*=,~^-])?")) {
            return setting.key() + " = " + value;
        }
        var quoted = value.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\t", "\\t")
                .replace("\b", "\\b");
        return setting.key() + " = \"" + quoted + "\"";
    }
}
