package dev.cagewright.audit.read;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// An event as one line of text for people. Whatever the caged program chose is quoted and escaped, so that a terminal
/// obeys none of it and a line stays a line.
public final class EventView {
    /// Takes as many columns as a line needs.
    public static final int UNLIMITED = Integer.MAX_VALUE;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:/@%+=,-]+");
    private static final String GAP = " ... ";

    private EventView() {}

    /// `line` on one line, without a line end.
    ///
    /// @param columns the widest line, in characters; what is too wide is shortened in its middle
    public static String text(LogLine line, int columns) {
        var event = line.event();
        var words = new ArrayList<String>();
        words.add("#" + line.seq());
        words.add(line.time().toString());
        words.add(event.kind().word());
        put(words, "", event.ruling().decision());
        words.add(word(event.actionName()));
        var rest = without(event.action(), "name");
        if (!rest.members().isEmpty()) {
            words.add(rest.write());
        }
        put(words, "session=", event.origin().session());
        put(words, "cage=", event.origin().cage());
        put(words, "id=", event.origin().id());
        for (var rule : event.ruling().rules()) {
            put(words, "rule=", rule);
        }
        detail(words, event);
        return shorten(String.join(" ", words), columns);
    }

    /// `text` cut in its middle to at most `columns` characters, never inside a surrogate pair.
    public static String shorten(String text, int columns) {
        int length = text.codePointCount(0, text.length());
        if (length <= columns) {
            return text;
        }
        int kept = columns - GAP.length();
        if (kept < 2) {
            return text.substring(0, text.offsetByCodePoints(0, Math.max(0, columns)));
        }
        int head = text.offsetByCodePoints(0, kept - kept / 2);
        int tail = text.offsetByCodePoints(text.length(), -(kept / 2));
        return text.substring(0, head) + GAP + text.substring(tail);
    }

    /// `text` as it is if it is plain, otherwise quoted and escaped as JSON does it.
    public static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : new JsonString(text).write();
    }

    private static void put(List<String> words, String name, String value) {
        if (!value.isEmpty()) {
            words.add(name + word(value));
        }
    }

    private static void detail(List<String> words, Event event) {
        if (!event.detail().members().isEmpty()) {
            words.add(event.detail().write());
        }
    }

    private static JsonObject without(JsonObject object, String name) {
        var rest = Json.object();
        object.members().forEach((member, value) -> {
            if (!member.equals(name)) {
                rest.put(member, value);
            }
        });
        return rest.build();
    }
}
