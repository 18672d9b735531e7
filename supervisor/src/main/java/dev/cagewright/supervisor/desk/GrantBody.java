package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.grant.GrantRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Reads what a program asks for: one JSON object (RFC 8259) in UTF-8 with the members `host` and `why`, and by choice
/// `methods`, `paths`, `ports` and `for`. What is written twice, unknown, of another type or out of bounds is refused
/// by its place; nothing is mended.
final class GrantBody {
    private static final Set<String> KNOWN = new TreeSet<>(List.of("host", "methods", "paths", "ports", "why", "for"));

    /// More entries of a list are not read.
    private static final int MOST = 64;

    /// More of a body is not told back, in characters.
    private static final int LONGEST_SHOWN = 400;

    private final JsonObject json;

    private GrantBody(JsonObject json) {
        this.json = json;
    }

    static GrantRequest parse(ByteString body) throws BadBodyException {
        return new GrantBody(object(body)).request();
    }

    private static JsonObject object(ByteString body) throws BadBodyException {
        if (body.size() == 0) {
            throw new BadBodyException("", "no body (expected: one JSON object)");
        }
        try {
            if (Json.parse(body.toByteArray(), DeskRequest.MOST_BODY) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonSyntaxException e) {
            throw new BadBodyException("byte " + e.offset(), String.valueOf(e.getMessage()));
        }
        throw new BadBodyException("", "not an object (expected: one JSON object)");
    }

    private GrantRequest request() throws BadBodyException {
        for (String name : json.members().sequencedKeySet()) {
            if (!KNOWN.contains(name)) {
                throw new BadBodyException(
                        "/" + shown(name), "an unknown member (expected: " + String.join(", ", KNOWN) + ")");
            }
        }
        var host = text("host");
        var why = text("why");
        var methods = json.member("methods").isPresent() ? texts("methods") : Opening.USUAL_METHODS;
        var paths = json.member("paths").isPresent() ? texts("paths") : Opening.USUAL_PATHS;
        var ports = json.member("ports").isPresent() ? ports() : Opening.USUAL_PORTS;
        try {
            var time = json.member("for").isPresent()
                    ? TimeSpan.parse("for", text("for")).value()
                    : GrantRequest.USUAL;
            return GrantRequest.of(host, ports, methods, paths, new GrantRequest.Reason(why, time));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /// The message begins with the member's name.
    private static BadBodyException refused(String message) {
        var member = message.substring(0, Math.max(0, message.indexOf(':')));
        return new BadBodyException(KNOWN.contains(member) ? "/" + member : "", printable(message));
    }

    private String text(String member) throws BadBodyException {
        return switch (json.member(member).orElse(null)) {
            case null -> throw new BadBodyException("/" + member, "is missing (expected: text)");
            case JsonString(String text) -> text;
            case JsonValue _ -> throw new BadBodyException("/" + member, "no text (expected: text in double quotes)");
        };
    }

    private List<JsonValue> list(String member) throws BadBodyException {
        if (json.member(member).orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            if (items.size() > MOST) {
                throw new BadBodyException("/" + member, items.size() + " entries (expected: at most " + MOST + ")");
            }
            return items;
        }
        throw new BadBodyException("/" + member, "no list (expected: a list)");
    }

    private List<String> texts(String member) throws BadBodyException {
        var all = new ArrayList<String>();
        for (JsonValue item : list(member)) {
            if (!(item instanceof JsonString(String text))) {
                throw new BadBodyException(
                        "/" + member + "/" + all.size(), "no text (expected: text in double quotes)");
            }
            all.add(text);
        }
        return all;
    }

    private List<Integer> ports() throws BadBodyException {
        var all = new ArrayList<Integer>();
        for (JsonValue item : list("ports")) {
            if (!(item instanceof JsonNumber(String digits)) || !digits.matches("[1-9][0-9]{0,4}")) {
                throw new BadBodyException("/ports/" + all.size(), "no port (expected: a number from 1 to 65535)");
            }
            all.add(Integer.parseInt(digits));
        }
        return all;
    }

    private static String shown(String name) {
        return printable(name.length() > 60 ? name.substring(0, 60) + "..." : name);
    }

    private static String printable(String text) {
        var shown = ByteString.of(text).printable();
        return shown.length() > LONGEST_SHOWN ? shown.substring(0, LONGEST_SHOWN) + "..." : shown;
    }
}
