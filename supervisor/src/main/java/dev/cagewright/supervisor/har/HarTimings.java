package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Piece;
import dev.cagewright.supervisor.capture.KeptExchange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where the time of an exchange went, as far as it is known; -1 for what is not, or did not happen.
final class HarTimings {
    private static final long UNKNOWN = -1;

    private final Map<String, Long> micros = new LinkedHashMap<>();

    private HarTimings() {
        for (String step : new String[] {"blocked", "dns", "connect", "send", "wait", "receive", "ssl"}) {
            micros.put(step, UNKNOWN);
        }
    }

    static HarTimings of(KeptExchange exchange) {
        var timings = new HarTimings();
        if (exchange.ended().isPresent()) {
            timings.fill(exchange.ended().get());
        } else {
            exchange.refused()
                    .ifPresent(refused -> timings.put(
                            "blocked",
                            Optional.of(Duration.between(exchange.asked().at(), refused.at()))));
        }
        return timings;
    }

    private void fill(Piece.Ended ended) {
        var at = ended.times();
        var dialling = ended.dialling();
        var judged = Optional.ofNullable(at.get(Moment.JUDGED));
        put("dns", between(at, Moment.JUDGED, Moment.RESOLVED));
        put("connect", dialling.connect());
        put("ssl", dialling.tls());
        put("send", between(at, Moment.CONNECTED, Moment.SENT));
        put("wait", between(at, Moment.SENT, Moment.ANSWERED));
        put("receive", between(at, Moment.ANSWERED, Moment.DONE));
        var waited = between(at, Moment.RESOLVED, Moment.CONNECTED)
                .map(time -> time.minus(dialling.connect().orElse(Duration.ZERO)))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
        put("blocked", judged.map(time -> time.plus(waited)));
    }

    private static Optional<Duration> between(Map<Moment, Duration> at, Moment from, Moment to) {
        var begin = at.get(from);
        var end = at.get(to);
        return begin == null || end == null ? Optional.empty() : Optional.of(end.minus(begin));
    }

    private void put(String step, Optional<Duration> time) {
        time.ifPresent(known -> micros.put(step, Math.max(0, known.toNanos() / 1000)));
    }

    /// The sum of all steps; TLS is a part of `connect`.
    JsonNumber time() {
        long sum = 0;
        for (Map.Entry<String, Long> step : micros.entrySet()) {
            sum += step.getKey().equals("ssl") ? 0 : Math.max(0, step.getValue());
        }
        return millis(sum);
    }

    JsonObject json() {
        var json = Json.object();
        micros.forEach((step, time) -> json.put(step, time == UNKNOWN ? JsonNumber.of(UNKNOWN) : millis(time)));
        return json.build();
    }

    private static JsonNumber millis(long micros) {
        return new JsonNumber(String.format(Locale.ROOT, "%d.%03d", micros / 1000, micros % 1000));
    }
}
