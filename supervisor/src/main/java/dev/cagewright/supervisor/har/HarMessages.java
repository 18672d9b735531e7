package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The messages of a WebSocket, as Chromium writes them: `_webSocketMessages`. Closed by whoever makes it.
final class HarMessages implements AutoCloseable {
    private static final int TEXT = 1;

    /// The most that one message is decoded to, bytes.
    private static final int MOST = 16 << 20;

    /// RFC 7692 section 7.2.2: what the sender left away.
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private final Map<Way, Inflater> inflaters = new EnumMap<>(Way.class);
    private final Set<Way> lost = EnumSet.noneOf(Way.class);

    JsonArray of(List<Piece.Message> messages) {
        var array = Json.array();
        messages.forEach(message -> array.add(one(message)));
        return array.build();
    }

    private JsonObject one(Piece.Message message) {
        var bytes = new byte[message.bytes().remaining()];
        message.bytes().duplicate().get(bytes);
        var plain = message.form() == Piece.Form.DEFLATED ? inflated(message, bytes) : Optional.of(bytes);
        var text = message.opcode() == TEXT
                ? plain.flatMap(whole -> ByteString.copyOf(whole).utf8())
                : Optional.<String>empty();
        var json = Json.object()
                .put("type", message.way() == Way.REQUEST ? "send" : "receive")
                .put("time", seconds(message))
                .put("opcode", message.opcode())
                .put("data", text.orElseGet(() -> Base64.getEncoder().encodeToString(plain.orElse(bytes))));
        if (message.opcode() == TEXT && text.isEmpty()) {
            json.put("_encoding", plain.isEmpty() ? "base64, deflated" : "base64");
        } else if (plain.isEmpty()) {
            json.put("_encoding", "base64, deflated");
        }
        if (message.whole() > bytes.length) {
            json.put("_comment", "the first " + bytes.length + " of " + message.whole() + " bytes are kept");
        }
        return json.build();
    }

    private static JsonNumber seconds(Piece.Message message) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, message.at());
        return new JsonNumber(String.format(Locale.ROOT, "%d.%06d", micros / 1_000_000, micros % 1_000_000));
    }

    /// Each message is decoded by what came before it, so after one that is not whole nothing of that way can be.
    private Optional<byte[]> inflated(Piece.Message message, byte[] bytes) {
        var way = message.way();
        if (message.whole() > bytes.length) {
            lost.add(way);
        }
        if (lost.contains(way)) {
            return Optional.empty();
        }
        var inflater = inflaters.computeIfAbsent(way, _ -> new Inflater(/* nowrap= */ true));
        try {
            var out = new ByteArrayOutputStream();
            for (byte[] part : List.of(bytes, TAIL)) {
                inflater.setInput(part);
                drain(inflater, out);
            }
            return Optional.of(out.toByteArray());
        } catch (DataFormatException _) {
            lost.add(way);
            return Optional.empty();
        }
    }

    private static void drain(Inflater inflater, ByteArrayOutputStream out) throws DataFormatException {
        var block = new byte[8192];
        for (int count = inflater.inflate(block); count > 0; count = inflater.inflate(block)) {
            out.write(block, 0, count);
            if (out.size() > MOST) {
                throw new DataFormatException("more than " + MOST + " bytes");
            }
        }
        if (inflater.finished()) {
            inflater.reset();
        }
    }

    @Override
    public void close() {
        inflaters.values().forEach(Inflater::end);
    }
}
