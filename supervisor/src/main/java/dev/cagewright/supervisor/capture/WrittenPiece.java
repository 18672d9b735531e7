package dev.cagewright.supervisor.capture;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.Dialling;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads the lines that [PieceJson] writes.
final class WrittenPiece {
    private final JsonObject json;

    private WrittenPiece(JsonObject json) {
        this.json = json;
    }

    /// @throws IOException if it is no line of a capture
    static Piece parse(byte[] line) throws IOException {
        try {
            if (Json.parse(line) instanceof JsonObject json) {
                return new WrittenPiece(json).piece();
            }
            throw new IOException("capture: a line that is no object");
        } catch (JsonSyntaxException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new IOException("capture: " + e.getMessage(), e);
        }
    }

    private Piece piece() throws IOException {
        long n = number("n");
        return switch (text("is")) {
            case "asked" -> new Piece.Asked(n, Instant.parse(text("at")), request());
            case "allowed" -> new Piece.Allowed(n, text("decision"));
            case "sent" -> new Piece.Sent(n, request(), text("address"), text("connection"));
            case "body" -> new Piece.Body(n, way(), bytes());
            case "trailers" -> new Piece.Trailers(n, way(), fields(json));
            case "answered" -> new Piece.Answered(n, answer("got"), answer("told"));
            case "refused" -> refused(n);
            case "message" ->
                new Piece.Message(
                        n,
                        way(),
                        Instant.parse(text("at")),
                        Math.toIntExact(number("opcode")),
                        isTrue("deflated") ? Piece.Form.DEFLATED : Piece.Form.PLAIN,
                        number("whole"),
                        bytes());
            case "ended" -> ended(n);
            default -> throw new IOException("capture: \"is\" is \"" + text("is") + "\" (expected: a kind of line)");
        };
    }

    private Piece refused(long n) throws IOException {
        var told = answer("told");
        var refusal = new Refusal(
                told.status(),
                text("type"),
                text("why"),
                json.text("decision"),
                json.text("rule"),
                List.of(),
                Refusal.Hope.NONE);
        return new Piece.Refused(n, Instant.parse(text("at")), refusal, told, bytes());
    }

    private Piece ended(long n) throws IOException {
        var times = new EnumMap<Moment, Duration>(Moment.class);
        for (Map.Entry<String, JsonValue> time : object("times_us").members().entrySet()) {
            times.put(Moment.valueOf(time.getKey().toUpperCase(Locale.ROOT)), micros(time.getValue()));
        }
        return new Piece.Ended(
                n,
                text("state"),
                json.text("why"),
                new Piece.Sizes(number("sent"), number("received"), number("missing")),
                times,
                new Dialling(time("connect_us"), time("tls_us")));
    }

    private Optional<Duration> time(String name) throws IOException {
        var value = json.member(name);
        return value.isPresent() ? Optional.of(micros(value.get())) : Optional.empty();
    }

    private static Duration micros(JsonValue value) throws IOException {
        if (value instanceof JsonNumber number) {
            return Duration.ofNanos(Math.multiplyExact(number.asLong(), 1000));
        }
        throw new IOException("capture: a time that is no number");
    }

    private Head.Request request() throws IOException {
        var head = object("head");
        return new Head.Request(text(head, "method"), text(head, "url"), text(head, "version"), fields(head));
    }

    private Head.Answer answer(String name) throws IOException {
        var head = object(name);
        if (head.member("status").orElse(null) instanceof JsonNumber status) {
            return new Head.Answer(
                    Math.toIntExact(status.asLong()), text(head, "reason"), text(head, "version"), fields(head));
        }
        throw new IOException("capture: no \"status\"");
    }

    private static List<Field> fields(JsonObject of) throws IOException {
        var fields = new ArrayList<Field>();
        for (JsonValue item : array(of)) {
            if (item instanceof JsonArray(List<JsonValue> pair)
                    && pair.size() == 2
                    && pair.getFirst() instanceof JsonString(String name)
                    && pair.getLast() instanceof JsonString(String value)) {
                fields.add(new Field(name, value));
            } else {
                throw new IOException("capture: a field that is no pair");
            }
        }
        return fields;
    }

    private static List<JsonValue> array(JsonObject of) throws IOException {
        if (of.member("fields").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items;
        }
        throw new IOException("capture: no \"fields\"");
    }

    private Way way() throws IOException {
        return switch (text("way")) {
            case "request" -> Way.REQUEST;
            case "answer" -> Way.ANSWER;
            default -> throw new IOException("capture: \"way\" is \"" + text("way") + "\"");
        };
    }

    private ByteBuffer bytes() throws IOException {
        return ByteBuffer.wrap(Base64.getDecoder().decode(text("bytes")));
    }

    private JsonObject object(String name) throws IOException {
        if (json.member(name).orElse(null) instanceof JsonObject object) {
            return object;
        }
        throw new IOException("capture: no \"" + name + "\"");
    }

    private boolean isTrue(String name) {
        return json.member(name).orElse(null) instanceof JsonBoolean(boolean value) && value;
    }

    private long number(String name) throws IOException {
        if (json.member(name).orElse(null) instanceof JsonNumber number) {
            return number.asLong();
        }
        throw new IOException("capture: no \"" + name + "\"");
    }

    private String text(String name) throws IOException {
        return text(json, name);
    }

    private static String text(JsonObject of, String name) throws IOException {
        return of.text(name).orElseThrow(() -> new IOException("capture: no \"" + name + "\""));
    }
}
