package dev.cagewright.supervisor.policyfile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The JSON Schema (draft 2020-12) of a policy file, made from the description that the binder follows.
/// It describes what an editor can check; the binder checks more.
public final class PolicySchema {
    private PolicySchema() {}

    /// The text of `schemas/policy-v1.json`: JSON, indented by two, ends in a line feed.
    public static String text() {
        var schema = new LinkedHashMap<String, Object>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "urn:cagewright:policy:v1");
        schema.put("title", "Cagewright policy");
        schema.put("description", "What one cage may do. What is not said is denied; an empty list grants nothing.");
        schema.putAll(PolicyShape.POLICY.schema());
        var out = new StringBuilder();
        write(out, schema, 0);
        return out.append('\n').toString();
    }

    private static void write(StringBuilder out, Object value, int depth) {
        switch (value) {
            case Map<?, ?> map -> writeMap(out, map, depth);
            case List<?> list -> writeList(out, list, depth);
            case String text -> writeString(out, text);
            default -> out.append(value);
        }
    }

    private static void writeMap(StringBuilder out, Map<?, ?> map, int depth) {
        char before = '{';
        for (var entry : map.entrySet()) {
            newLine(out.append(before), depth + 1);
            writeString(out, String.valueOf(entry.getKey()));
            write(out.append(": "), entry.getValue(), depth + 1);
            before = ',';
        }
        newLine(out.append(map.isEmpty() ? "{" : ""), depth);
        out.append('}');
    }

    private static void writeList(StringBuilder out, List<?> list, int depth) {
        if (list.stream().allMatch(String.class::isInstance)) {
            writeWords(out, list);
            return;
        }
        char before = '[';
        for (var item : list) {
            newLine(out.append(before), depth + 1);
            write(out, item, depth + 1);
            before = ',';
        }
        newLine(out, depth);
        out.append(']');
    }

    private static void writeWords(StringBuilder out, List<?> words) {
        var before = "[";
        for (var word : words) {
            writeString(out.append(before), String.valueOf(word));
            before = ", ";
        }
        out.append(words.isEmpty() ? "[]" : "]");
    }

    private static void newLine(StringBuilder out, int depth) {
        out.append('\n').repeat("  ", depth);
    }

    private static void writeString(StringBuilder out, String text) {
        out.append('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < 0x20) {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        out.append('"');
    }
}
