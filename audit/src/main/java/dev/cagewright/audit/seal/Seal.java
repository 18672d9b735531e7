package dev.cagewright.audit.seal;

import dev.cagewright.audit.chain.LogActions;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// What a seal says, without its code; `docs/audit-format.md`, *Seals*.
///
/// @param epoch the writer's, from 0
/// @param step from 0 within the epoch
/// @param opened how many epochs have begun, this one included
/// @param over the epochs whose writers were gone, ascending; only where an epoch begins
public record Seal(Part part, long epoch, long step, long opened, List<Long> over) {
    /// `,"mac":"`, 64 digits, `"}`: what stands between the sealed bytes and the last two members.
    static final int MAC_MEMBER = 8 + 64 + 2;

    /// 64 digits and `"}`.
    static final int MAC_END = 64 + 2;

    private static final JsonObject ACTION =
            Json.object().put("name", LogActions.SEAL).build();
    private static final String NO_MAC = "0".repeat(64);
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");

    /// Where in its epoch a seal stands.
    public enum Part {
        BEGIN("begin"),
        BATCH("batch"),
        END("end");

        private final String word;

        Part(String word) {
            this.word = word;
        }
    }

    public Seal {
        over = List.copyOf(over);
    }

    /// Whether `line` is a seal; it may be a malformed one.
    public static boolean is(LogLine line) {
        return line.event().actionName().equals(LogActions.SEAL);
    }

    /// The event that says it, with zeros where the code belongs.
    public Event event() {
        var detail = Json.object()
                .put("part", part.word)
                .put("epoch", epoch)
                .put("step", step)
                .put("opened", opened);
        if (part == Part.BEGIN) {
            detail.put("over", Json.of(over));
        }
        return Event.note(Origin.LOG, ACTION, detail.put("mac", NO_MAC).build());
    }

    /// Reads a seal, which may have no member, no blank and no order but its own.
    ///
    /// @throws LineSyntaxException if it is none
    public static Seal of(LogLine line) throws LineSyntaxException {
        var detail = line.event().detail();
        var seal = new Seal(
                part(detail), number(detail, "epoch"), number(detail, "step"), number(detail, "opened"), over(detail));
        if (!isExact(line.bytes(), LineFormat.body(seal.event()))) {
            throw new LineSyntaxException("it is a seal that is not written as seals are");
        }
        return seal;
    }

    private static boolean isExact(byte[] line, byte[] body) {
        int to = line.length - LineFormat.PREV_MEMBER;
        int from = to - body.length;
        int mac = body.length - MAC_END;
        return from > 0
                && Arrays.equals(line, from, from + mac, body, 0, mac)
                && LineFormat.isHex(line, from + mac)
                && line[to - 2] == '"'
                && line[to - 1] == '}';
    }

    private static Part part(JsonObject detail) throws LineSyntaxException {
        var word = detail.text("part").orElse("");
        for (var part : Part.values()) {
            if (part.word.equals(word)) {
                return part;
            }
        }
        throw new LineSyntaxException("it is a seal whose part is none of begin, batch and end");
    }

    private static List<Long> over(JsonObject detail) throws LineSyntaxException {
        var over = new ArrayList<Long>();
        if (detail.members().get("over") instanceof JsonArray(List<JsonValue> items)) {
            for (var item : items) {
                long epoch = number(item);
                if (!over.isEmpty() && epoch <= over.getLast()) {
                    throw new LineSyntaxException("it is a seal whose member over does not ascend");
                }
                over.add(epoch);
            }
        }
        return over;
    }

    private static long number(JsonObject detail, String name) throws LineSyntaxException {
        var value = detail.members().get(name);
        if (value == null) {
            throw new LineSyntaxException("it is a seal without member " + name);
        }
        return number(value);
    }

    private static long number(JsonValue value) throws LineSyntaxException {
        if (value instanceof JsonNumber(String text) && NUMBER.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        throw new LineSyntaxException("it is a seal in which a number is no whole number");
    }
}
