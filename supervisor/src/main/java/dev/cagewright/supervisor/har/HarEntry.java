package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Field;
import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.supervisor.capture.KeptExchange;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One exchange as an entry of an archive. Whatever HAR 1.2 has no place for stands in `_cagewright`, and in a sentence
/// in `comment`.
final class HarEntry {
    private static final int SWITCHING = 101;

    private final KeptExchange exchange;
    private final View view;

    private HarEntry(KeptExchange exchange, View view) {
        this.exchange = exchange;
        this.view = view;
    }

    /// Empty where nothing was sent and what was sent is asked for.
    static Optional<JsonObject> of(KeptExchange exchange, View view) {
        return switch (view) {
            case INBOUND ->
                Optional.of(new HarEntry(exchange, view).json(exchange.asked().head()));
            case OUTBOUND -> exchange.sent().map(sent -> new HarEntry(exchange, view).json(sent.head()));
        };
    }

    private JsonObject json(Head.Request asked) {
        var timings = HarTimings.of(exchange);
        var json = Json.object()
                .put(
                        "startedDateTime",
                        exchange.asked().at().truncatedTo(ChronoUnit.MILLIS).toString())
                .put("time", timings.time())
                .put("request", HarRequest.of(asked, exchange.body(Way.REQUEST), sentBytes()))
                .put("response", response())
                .put("cache", JsonObject.EMPTY)
                .put("timings", timings.json());
        exchange.sent()
                .ifPresent(sent -> json.put("serverIPAddress", address(sent)).put("connection", sent.connection()));
        if (isWebSocket()) {
            json.put("_resourceType", "websocket");
            try (var messages = new HarMessages()) {
                json.put("_webSocketMessages", messages.of(exchange.messages()));
            }
        }
        return json.put("_cagewright", own()).put("comment", comment()).build();
    }

    /// What was dialled, without whom a proxy was asked for.
    private static String address(Piece.Sent sent) {
        int blank = sent.address().indexOf(' ');
        return blank < 0 ? sent.address() : sent.address().substring(0, blank);
    }

    private boolean isWebSocket() {
        return exchange.answered()
                .filter(answered -> answered.got().status() == SWITCHING)
                .isPresent();
    }

    /// -1 where nobody counted to the end.
    private long sentBytes() {
        return exchange.ended()
                .map(ended -> isWebSocket() ? 0 : ended.sizes().sent())
                .orElse(-1L);
    }

    private JsonObject response() {
        var answered = exchange.answered();
        if (answered.isPresent()) {
            var head = view == View.INBOUND
                    ? answered.get().told()
                    : answered.get().got();
            long whole = exchange.ended()
                    .map(ended -> isWebSocket() ? 0 : ended.sizes().received())
                    .orElse(-1L);
            return HarResponse.of(head, exchange.body(Way.ANSWER), whole);
        }
        if (view == View.INBOUND && exchange.refused().isPresent()) {
            var refused = exchange.refused().get();
            var page = new byte[refused.page().remaining()];
            refused.page().duplicate().get(page);
            return HarResponse.of(refused.told(), page, page.length);
        }
        return HarResponse.none(exchange.ended().flatMap(Piece.Ended::why).orElse("the record ends here"));
    }

    private JsonObject own() {
        var json = Json.object().put("exchange", exchange.asked().exchange());
        exchange.decision().ifPresent(id -> json.put("decision", id));
        exchange.ended().ifPresent(ended -> json.put("state", ended.state()));
        exchange.ended().flatMap(Piece.Ended::why).ifPresent(why -> json.put("why", why));
        exchange.refused().ifPresent(refused -> {
            json.put("refused", refused.refusal().detail());
            refused.refusal().rule().ifPresent(rule -> json.put("rule", rule));
        });
        trailers(json, "request_trailers", exchange.trailers(Way.REQUEST));
        trailers(json, "response_trailers", exchange.trailers(Way.ANSWER));
        exchange.ended()
                .filter(ended -> ended.sizes().missing() > 0)
                .ifPresent(ended -> json.put("missing_bytes", ended.sizes().missing()));
        return json.build();
    }

    private static void trailers(JsonObject.Builder json, String name, List<Field> fields) {
        if (!fields.isEmpty()) {
            json.put(name, HarRequest.headers(fields));
        }
    }

    private String comment() {
        var said = new ArrayList<String>();
        var id = exchange.decision().map(known -> ", " + known).orElse("");
        var refused = exchange.refused();
        if (refused.isPresent()) {
            var rule = refused.get()
                    .refusal()
                    .rule()
                    .map(known -> " (" + known + ")")
                    .orElse("");
            said.add("refused: " + refused.get().refusal().detail() + rule + id);
        } else {
            said.add((exchange.isAllowed() ? "allowed" : "not judged") + id);
        }
        exchange.ended().ifPresent(ended -> {
            ended.why().ifPresent(why -> said.add(ended.state() + ": " + why));
            if (ended.sizes().missing() > 0) {
                said.add(ended.sizes().missing() + " bytes were not kept: the disk was slower, or there was no room");
            }
        });
        if (exchange.unheldMessages() > 0) {
            said.add(exchange.unheldMessages() + " messages behind the first 64 MiB are left out here");
        }
        if (exchange.ended().isEmpty() && refused.isEmpty()) {
            said.add("the record ends before the exchange does");
        }
        return String.join("; ", said);
    }
}
