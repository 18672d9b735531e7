package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The members of one JSON object, each taken once by name. What is missing, of another kind or left over is
/// refused with its place. Not safe for several threads.
final class Members {
    private final String where;
    private final JsonObject json;
    private final Set<String> left;

    private Members(String where, JsonObject json) {
        this.where = where;
        this.json = json;
        this.left = new HashSet<>(json.members().keySet());
    }

    /// Reads one item of a list, or one value.
    @FunctionalInterface
    interface Reading<T> {
        T of(String where, JsonValue value) throws ReceiptSyntaxException;
    }

    static Members of(String where, JsonValue value) throws ReceiptSyntaxException {
        if (value instanceof JsonObject object) {
            return new Members(where, object);
        }
        throw new ReceiptSyntaxException(where + ": is no object");
    }

    static String text(String where, JsonValue value) throws ReceiptSyntaxException {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new ReceiptSyntaxException(where + ": is no text");
    }

    String text(String name) throws ReceiptSyntaxException {
        return text(place(name), take(name));
    }

    /// 64 digits.
    String digest(String name) throws ReceiptSyntaxException {
        var text = text(name);
        if (!Sha256.is(text)) {
            throw new ReceiptSyntaxException(place(name) + ": is no SHA-256 of 64 lower-case digits");
        }
        return text;
    }

    /// 64 digits, or nothing.
    String digestOrEmpty(String name) throws ReceiptSyntaxException {
        var text = text(name);
        if (!text.isEmpty() && !Sha256.is(text)) {
            throw new ReceiptSyntaxException(place(name) + ": is neither empty nor a SHA-256 of 64 lower-case digits");
        }
        return text;
    }

    Instant time(String name) throws ReceiptSyntaxException {
        try {
            return Instant.parse(text(name));
        } catch (DateTimeException e) {
            throw new ReceiptSyntaxException(place(name) + ": is no UTC time", e);
        }
    }

    /// Not negative.
    long count(String name) throws ReceiptSyntaxException {
        if (take(name) instanceof JsonNumber number) {
            try {
                long value = number.asLong();
                if (value >= 0) {
                    return value;
                }
            } catch (ArithmeticException e) {
                throw new ReceiptSyntaxException(place(name) + ": is no whole number of 63 bits", e);
            }
        }
        throw new ReceiptSyntaxException(place(name) + ": is no whole number from 0 on");
    }

    boolean truth(String name) throws ReceiptSyntaxException {
        if (take(name) instanceof JsonBoolean(boolean truth)) {
            return truth;
        }
        throw new ReceiptSyntaxException(place(name) + ": is neither true nor false");
    }

    <T> T value(String name, Reading<T> reading) throws ReceiptSyntaxException {
        return reading.of(place(name), take(name));
    }

    /// Empty when there is no such member.
    <T> Optional<T> optional(String name, Reading<T> reading) throws ReceiptSyntaxException {
        return json.member(name).isPresent() ? Optional.of(value(name, reading)) : Optional.empty();
    }

    <T> List<T> list(String name, Reading<T> reading) throws ReceiptSyntaxException {
        if (!(take(name) instanceof JsonArray(List<JsonValue> items))) {
            throw new ReceiptSyntaxException(place(name) + ": is no list");
        }
        var read = new ArrayList<T>(items.size());
        for (JsonValue item : items) {
            read.add(reading.of(place(name) + "[" + read.size() + "]", item));
        }
        return read;
    }

    /// Empty when there is no such member.
    <T> List<T> listOrNone(String name, Reading<T> reading) throws ReceiptSyntaxException {
        return json.member(name).isPresent() ? list(name, reading) : List.of();
    }

    List<String> texts(String name) throws ReceiptSyntaxException {
        return list(name, Members::text);
    }

    /// @throws ReceiptSyntaxException if there is a member that nobody asked for
    void end() throws ReceiptSyntaxException {
        if (!left.isEmpty()) {
            var odd = left.stream().sorted().findFirst().orElseThrow();
            throw new ReceiptSyntaxException(where + ": has the unknown member " + new JsonString(odd).brief());
        }
    }

    private JsonValue take(String name) throws ReceiptSyntaxException {
        left.remove(name);
        return json.member(name)
                .orElseThrow(() -> new ReceiptSyntaxException(where + ": has no member \"" + name + "\""));
    }

    private String place(String name) {
        return where + "." + name;
    }
}
