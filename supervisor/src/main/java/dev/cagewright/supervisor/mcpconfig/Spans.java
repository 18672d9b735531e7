package dev.cagewright.supervisor.mcpconfig;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Where values stand in a text that is valid JSON, so that one can be replaced and all the rest stay as it is.
/// One text, one thread.
final class Spans {
    private final String text;
    private int at;

    /// From and up to, as offsets.
    record Span(int from, int to) {}

    private Spans(String text) {
        this.text = text;
    }

    /// Where the value at `path` stands; empty if there is none.
    ///
    /// @param json valid
    static Optional<Span> find(String json, List<String> path) {
        var spans = new Spans(json);
        spans.blanks();
        for (String name : path) {
            if (!spans.enters(name)) {
                return Optional.empty();
            }
        }
        int from = spans.at;
        spans.value();
        return Optional.of(new Span(from, spans.at));
    }

    /// Goes to the value of a member of the object that begins here.
    private boolean enters(String name) {
        if (peek() != '{') {
            return false;
        }
        at++;
        blanks();
        while (peek() == '"') {
            int from = at;
            string();
            var member = text.substring(from, at);
            blanks();
            at++;
            blanks();
            if (meant(member).equals(name)) {
                return true;
            }
            value();
            blanks();
            if (peek() == ',') {
                at++;
            }
            blanks();
        }
        return false;
    }

    private static String meant(String literal) {
        try {
            return Json.parse(literal.getBytes(StandardCharsets.UTF_8)) instanceof JsonString(String text) ? text : "";
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("json: " + literal + " (expected: a string)", e);
        }
    }

    private void value() {
        switch (peek()) {
            case '"' -> string();
            case '{', '[' -> nested();
            default -> {
                while (at < text.length() && ",]} \t\r\n".indexOf(peek()) < 0) {
                    at++;
                }
            }
        }
    }

    /// Brackets within strings do not count.
    private void nested() {
        int depth = 0;
        do {
            switch (peek()) {
                case '"' -> {
                    string();
                    continue;
                }
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {
                    // what stands between
                }
            }
            at++;
        } while (depth > 0 && at < text.length());
    }

    private void string() {
        at++;
        while (at < text.length() && peek() != '"') {
            at += peek() == '\\' ? 2 : 1;
        }
        at++;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(peek()) >= 0) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }
}
