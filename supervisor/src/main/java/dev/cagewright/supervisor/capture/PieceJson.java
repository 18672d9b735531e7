package dev.cagewright.supervisor.capture;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The lines of a capture: `n` is the exchange, `is` the kind of line.
final class PieceJson {
    private PieceJson() {}

    /// The first line.
    static JsonObject opening(String session, long body) {
        return Json.object()
                .put("is", "capture")
                .put("version", 1)
                .put("session", session)
                .put("body", body)
                .build();
    }

    static JsonObject of(Piece piece) {
        var json = Json.object().put("n", piece.exchange());
        switch (piece) {
            case Piece.Asked asked ->
                json.put("is", "asked").put("at", asked.at().toString()).put("head", head(asked.head()));
            case Piece.Allowed allowed -> json.put("is", "allowed").put("decision", allowed.decision());
            case Piece.Sent sent ->
                json.put("is", "sent")
                        .put("address", sent.address())
                        .put("connection", sent.connection())
                        .put("head", head(sent.head()));
            case Piece.Body body ->
                json.put("is", "body").put("way", word(body.way())).put("bytes", base64(body.bytes()));
            case Piece.Trailers trailers ->
                json.put("is", "trailers").put("way", word(trailers.way())).put("fields", fields(trailers.fields()));
            case Piece.Answered answered ->
                json.put("is", "answered").put("got", head(answered.got())).put("told", head(answered.told()));
            case Piece.Refused refused -> refused(json, refused);
            case Piece.Message message ->
                json.put("is", "message")
                        .put("way", word(message.way()))
                        .put("at", message.at().toString())
                        .put("opcode", message.opcode())
                        .put("deflated", message.form() == Piece.Form.DEFLATED)
                        .put("whole", message.whole())
                        .put("bytes", base64(message.bytes()));
            case Piece.Ended ended -> ended(json, ended);
        }
        return json.build();
    }

    private static void refused(JsonObject.Builder json, Piece.Refused refused) {
        var refusal = refused.refusal();
        json.put("is", "refused")
                .put("at", refused.at().toString())
                .put("type", refusal.type())
                .put("why", refusal.detail());
        refusal.decision().ifPresent(id -> json.put("decision", id));
        refusal.rule().ifPresent(rule -> json.put("rule", rule));
        json.put("told", head(refused.told())).put("bytes", base64(refused.page()));
    }

    private static void ended(JsonObject.Builder json, Piece.Ended ended) {
        json.put("is", "ended").put("state", ended.state());
        ended.why().ifPresent(why -> json.put("why", why));
        json.put("sent", ended.sizes().sent())
                .put("received", ended.sizes().received())
                .put("missing", ended.sizes().missing());
        var times = Json.object();
        ended.times().forEach((moment, time) -> times.put(moment.name().toLowerCase(Locale.ROOT), micros(time)));
        json.put("times_us", times.build());
        put(json, "connect_us", ended.dialling().connect());
        put(json, "tls_us", ended.dialling().tls());
    }

    private static void put(JsonObject.Builder json, String name, Optional<Duration> time) {
        time.ifPresent(known -> json.put(name, micros(known)));
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1000;
    }

    private static String word(Way way) {
        return switch (way) {
            case REQUEST -> "request";
            case ANSWER -> "answer";
        };
    }

    private static JsonObject head(Head head) {
        var json = Json.object();
        switch (head) {
            case Head.Request request -> json.put("method", request.method()).put("url", request.url());
            case Head.Answer answer -> json.put("status", answer.status()).put("reason", answer.reason());
        }
        return json.put("version", head.version())
                .put("fields", fields(head.fields()))
                .build();
    }

    private static JsonArray fields(List<Field> fields) {
        var array = Json.array();
        fields.forEach(field -> array.add(Json.of(List.of(field.name(), field.value()))));
        return array.build();
    }

    private static String base64(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1
                .decode(Base64.getEncoder().encode(bytes.duplicate()))
                .toString();
    }
}
