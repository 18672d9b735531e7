package dev.cagewright.egress.desk;

import java.util.Map;
import java.util.TreeMap;

/// What a [PolicyDesk] answers.
///
/// @param status of HTTP, 200 to 599
/// @param form what the text is
/// @param json one JSON value
/// @param fields more fields of the head, by name, e.g. `Allow`
public record DeskReply(int status, Form form, String json, Map<String, String> fields) {
    /// What is said.
    public enum Form {
        /// What was asked for: `application/json`.
        RESULT,
        /// Why there is none: `application/problem+json` (RFC 9457).
        PROBLEM
    }

    public DeskReply {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 200 to 599)");
        }
        fields = Map.copyOf(fields);
    }

    /// What was asked for.
    public static DeskReply result(int status, String json) {
        return new DeskReply(status, Form.RESULT, json, Map.of());
    }

    /// Why there is no result.
    public static DeskReply problem(int status, String json) {
        return new DeskReply(status, Form.PROBLEM, json, Map.of());
    }

    /// The same with one field more.
    public DeskReply with(String name, String value) {
        var more = new TreeMap<>(fields);
        more.put(name, value);
        return new DeskReply(status, form, json, more);
    }
}
