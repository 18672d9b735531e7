package dev.cagewright.cli.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// Counts per host. Bounded: hosts beyond its limit are counted together.
final class NetSummary {
    private static final int MOST_HOSTS = 10_000;
    private static final String OTHERS = "(others)";
    private static final String ROW = "%-36s %9s %8s %9s %9s %7s";

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /// What is counted of one host.
    private static final class Row {
        private final String host;
        private final TreeMap<Long, Long> times = new TreeMap<>();
        private long requests;
        private long refused;
        private long sent;
        private long received;

        Row(String host) {
            this.host = host;
        }

        void add(Crossing crossing) {
            boolean isLookup = crossing.kind().equals("dns.lookup");
            if (crossing.isRefused()) {
                refused++;
            } else if (!isLookup) {
                requests++;
                crossing.wallMillis().ifPresent(time -> times.merge(time, 1L, Long::sum));
            }
            sent += crossing.sentBytes().orElse(0);
            received += crossing.receivedBytes().orElse(0);
        }

        OptionalLong middle() {
            long count = times.values().stream().mapToLong(Long::longValue).sum();
            long passed = 0;
            for (Map.Entry<Long, Long> time : times.entrySet()) {
                passed += time.getValue();
                if (2 * passed >= count) {
                    return OptionalLong.of(time.getKey());
                }
            }
            return OptionalLong.empty();
        }
    }

    void add(Crossing crossing) {
        boolean isKnown = rows.containsKey(crossing.host()) || rows.size() < MOST_HOSTS;
        rows.computeIfAbsent(isKnown ? crossing.host() : OTHERS, Row::new).add(crossing);
    }

    private List<Row> sorted() {
        var sorted = new ArrayList<>(rows.values());
        sorted.sort(Comparator.comparingLong((Row row) -> row.requests + row.refused)
                .reversed()
                .thenComparing(row -> row.host));
        return sorted;
    }

    /// A table, its head first.
    List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add(String.format(Locale.ROOT, ROW, "HOST", "REQUESTS", "REFUSED", "SENT", "RECEIVED", "P50"));
        for (Row row : sorted()) {
            var middle = row.middle();
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    ByteString.of(row.host).printable(),
                    row.requests,
                    row.refused,
                    Amount.of(row.sent),
                    Amount.of(row.received),
                    middle.isPresent() ? middle.getAsLong() + " ms" : "-"));
        }
        return lines;
    }

    /// @param more rows that follow
    JsonValue json(List<JsonObject> more) {
        var list = new ArrayList<JsonObject>();
        for (Row row : sorted()) {
            var json = Json.object()
                    .put("host", row.host)
                    .put("requests", row.requests)
                    .put("refused", row.refused)
                    .put("sent_bytes", row.sent)
                    .put("received_bytes", row.received);
            row.middle().ifPresent(time -> json.put("p50_ms", time));
            list.add(json.build());
        }
        list.addAll(more);
        return Json.of(list);
    }
}
