package dev.cagewright.audit.event;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// The bytes of a line, as `docs/audit-format.md` tells them: one JSON object of twelve members in fixed order,
/// without blanks, `prev` and `hash` last.
public final class LineFormat {
    /// The longest line without its line end, in bytes.
    public static final int MAX_LINE = 1 << 20;

    /// The length of a hash in hexadecimal digits.
    public static final int HASH_LENGTH = 64;

    /// What stands as `prev` in the first line.
    public static final String NO_HASH = "0".repeat(HASH_LENGTH);

    /// `,"hash":"` + digits + `"}`.
    static final int HASH_MEMBER = 9 + HASH_LENGTH + 2;

    /// `,"prev":"` + digits + `"` + the hash member.
    public static final int PREV_MEMBER = 9 + HASH_LENGTH + 1 + HASH_MEMBER;

    static final byte[] PREV_START = ascii(",\"prev\":\"");
    static final byte[] HASH_START = ascii("\",\"hash\":\"");
    static final byte[] END = ascii("\"}");

    private static final byte[] ACTION = ascii(",\"action\":");
    private static final byte[] DECISION = ascii(",\"decision\":");
    private static final byte[] RULES_OPEN = ascii(",\"rules\":[");
    private static final byte[] RULES_CLOSE = ascii("],\"detail\":");
    private static final byte[] RULES = ascii(",\"rules\":");
    private static final byte[] DETAIL = ascii(",\"detail\":");
    private static final byte[] SESSION = ascii("\"session\":");
    private static final byte[] CAGE = ascii(",\"cage\":");
    private static final byte[] ID = ascii(",\"id\":");
    private static final byte[] KIND = ascii(",\"kind\":");
    private static final byte[] COMMA = ascii(",");
    private static final byte[] NOTHING = {};

    private static final List<String> MEMBERS = List.of(
            "seq", "time", "session", "cage", "id", "kind", "action", "decision", "rules", "detail", "prev", "hash");
    private static final Pattern SEQ = Pattern.compile("[1-9][0-9]{0,17}");
    private static final int TIME_LENGTH = 27;
    private static final String TIME_SHAPE = "dddd-dd-ddTdd:dd:dd.ddddddZ";

    private LineFormat() {}

    /// The middle of the line, from the session to the detail. This is the expensive part of a line and needs
    /// nothing that is known only when it is written.
    public static byte[] body(Event event) {
        try {
            var out = new JsonWriter(FieldBounds.MAX_DEPTH);
            start(out, event);
            out.json(ACTION).value(event.action());
            out.json(DECISION).string(event.ruling().decision()).json(RULES_OPEN);
            var comma = NOTHING;
            for (var rule : event.ruling().rules()) {
                out.json(comma).string(rule);
                comma = COMMA;
            }
            out.json(RULES_CLOSE).value(event.detail());
            if (out.size() <= FieldBounds.MAX_RULES) {
                return out.bytes();
            }
        } catch (IllegalStateException _) {
            // too deep: the bounded form says so
        }
        return bounded(event);
    }

    private static byte[] bounded(Event event) {
        var out = new JsonWriter(FieldBounds.MAX_DEPTH);
        start(out, event);
        out.json(ACTION).json(FieldBounds.object(event.action()));
        out.json(DECISION).string(event.ruling().decision());
        out.json(RULES).json(FieldBounds.rules(event.ruling().rules()));
        out.json(DETAIL).json(FieldBounds.object(event.detail()));
        return out.bytes();
    }

    private static void start(JsonWriter out, Event event) {
        var origin = event.origin();
        out.json(SESSION).string(origin.session());
        out.json(CAGE).string(origin.cage());
        out.json(ID).string(origin.id());
        out.json(KIND).string(event.kind().word());
    }

    /// Reads one line, without its line end. The hash is not computed: see [LineDigest].
    ///
    /// @param line is kept by the result and must not change afterwards
    public static LogLine parse(byte[] line) throws LineSyntaxException {
        if (line.length > MAX_LINE) {
            throw new LineSyntaxException("it is longer than " + MAX_LINE + " bytes");
        }
        ending(line);
        var members = members(line);
        ordered(members);
        var event = event(members);
        return new LogLine(line, seq(members), time(text(members, "time")), event);
    }

    static String prev(byte[] line) {
        return new String(line, line.length - PREV_MEMBER + 9, HASH_LENGTH, StandardCharsets.ISO_8859_1);
    }

    static String hash(byte[] line) {
        return new String(line, line.length - HASH_MEMBER + 9, HASH_LENGTH, StandardCharsets.ISO_8859_1);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// The last two members stand at fixed places, so that the hash needs no parser.
    private static void ending(byte[] line) throws LineSyntaxException {
        int prev = line.length - PREV_MEMBER;
        int hash = line.length - HASH_MEMBER - 1;
        boolean fits = prev > 0
                && isAt(line, prev, PREV_START)
                && isHex(line, prev + 9)
                && isAt(line, hash, HASH_START)
                && isHex(line, hash + 10)
                && isAt(line, line.length - 2, END);
        if (!fits) {
            throw new LineSyntaxException("it does not end in the members prev and hash of 64 hexadecimal digits");
        }
    }

    private static boolean isAt(byte[] line, int from, byte[] expected) {
        return Arrays.equals(line, from, from + expected.length, expected, 0, expected.length);
    }

    /// Whether 64 hexadecimal digits stand there, in lower case.
    public static boolean isHex(byte[] line, int from) {
        for (int i = from; i < from + HASH_LENGTH; i++) {
            boolean hex = (line[i] >= '0' && line[i] <= '9') || (line[i] >= 'a' && line[i] <= 'f');
            if (!hex) {
                return false;
            }
        }
        return true;
    }

    private static JsonObject members(byte[] line) throws LineSyntaxException {
        try {
            if (Json.parseCompact(line, 0, line.length) instanceof JsonObject object) {
                return object;
            }
            throw new LineSyntaxException("it is no JSON object");
        } catch (JsonSyntaxException e) {
            var wrong = new LineSyntaxException("it is not strict JSON: " + e.getMessage());
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static void ordered(JsonObject object) throws LineSyntaxException {
        int at = 0;
        for (var name : object.members().keySet()) {
            if (at == MEMBERS.size() || !name.equals(MEMBERS.get(at))) {
                var expected = at == MEMBERS.size() ? "the end" : MEMBERS.get(at);
                throw new LineSyntaxException(
                        "member " + new JsonString(name).brief() + " stands where " + expected + " belongs");
            }
            at++;
        }
        if (at < MEMBERS.size()) {
            throw new LineSyntaxException("member " + MEMBERS.get(at) + " is missing");
        }
    }

    private static Event event(JsonObject line) throws LineSyntaxException {
        try {
            var origin = new Origin(text(line, "session"), text(line, "cage"), text(line, "id"));
            var ruling = new Event.Ruling(text(line, "decision"), rules(line));
            return new Event(origin, kind(line), object(line, "action"), ruling, object(line, "detail"));
        } catch (IllegalArgumentException e) {
            var wrong = new LineSyntaxException(String.valueOf(e.getMessage()));
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static long seq(JsonObject line) throws LineSyntaxException {
        if (line.members().get("seq") instanceof JsonNumber(String text)
                && SEQ.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        throw new LineSyntaxException("member seq is not a whole number from 1 on");
    }

    private static Event.Kind kind(JsonObject line) throws LineSyntaxException {
        return switch (text(line, "kind")) {
            case "intent" -> Event.Kind.INTENT;
            case "outcome" -> Event.Kind.OUTCOME;
            case "note" -> Event.Kind.NOTE;
            default -> throw new LineSyntaxException("member kind is none of intent, outcome and note");
        };
    }

    private static List<String> rules(JsonObject line) throws LineSyntaxException {
        if (!(line.members().get("rules") instanceof JsonArray(List<JsonValue> items))) {
            throw new LineSyntaxException("member rules is not a list of texts");
        }
        var rules = new ArrayList<String>(items.size());
        for (var item : items) {
            if (!(item instanceof JsonString(String rule))) {
                throw new LineSyntaxException("member rules is not a list of texts");
            }
            rules.add(rule);
        }
        return rules;
    }

    private static String text(JsonObject line, String name) throws LineSyntaxException {
        if (line.members().get(name) instanceof JsonString(String text)) {
            return text;
        }
        throw new LineSyntaxException("member " + name + " is not a text");
    }

    private static JsonObject object(JsonObject line, String name) throws LineSyntaxException {
        if (line.members().get(name) instanceof JsonObject object) {
            return object;
        }
        throw new LineSyntaxException("member " + name + " is not an object");
    }

    private static Instant time(String text) throws LineSyntaxException {
        try {
            if (hasTimeShape(text)) {
                return LocalDateTime.of(
                                number(text, 0, 4),
                                number(text, 5, 7),
                                number(text, 8, 10),
                                number(text, 11, 13),
                                number(text, 14, 16),
                                number(text, 17, 19),
                                number(text, 20, 26) * 1000)
                        .toInstant(ZoneOffset.UTC);
            }
        } catch (DateTimeException _) {
            // falls through to the one refusal: a 30th of February is as wrong as a letter
        }
        throw new LineSyntaxException("member time is not a UTC time with six decimals of a second");
    }

    private static boolean hasTimeShape(String text) {
        if (text.length() != TIME_LENGTH) {
            return false;
        }
        for (int i = 0; i < TIME_LENGTH; i++) {
            char shape = TIME_SHAPE.charAt(i);
            char c = text.charAt(i);
            if (shape == 'd' ? c < '0' || c > '9' : c != shape) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
