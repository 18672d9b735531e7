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
public final class NetSummary {
    private static final int MOST_HOSTS = 10_000;
    private static final int NAMED = 6;
    private static final String OTHERS = "(others)";
    private static final String ROW = "%-36s %9s %8s %9s %9s %7s";

    private final Map<String, Row> rows = new LinkedHashMap<>();

    /// What is counted of one host.
    private static final class Row {
        private final String host;
        private final TreeMap<Long, Long> times = new TreeMap<>();
        private long requests;
        private long unanswered;
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
                unanswered += crossing.state().equals("unreached") ? 1 : 0;
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

    /// Counts it.
    public void add(Crossing crossing) {
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

    /// All hosts, the busiest first.
    public List<HostTraffic> traffic() {
        return sorted().stream()
                .map(row ->
                        new HostTraffic(row.host, row.requests, row.unanswered, row.refused, row.sent, row.received))
                .toList();
    }

    /// The hosts that were reached, with how much; the busiest, and how many more.
    List<String> reached() {
        return named(sorted().stream()
                .filter(row -> row.requests > 0)
                .map(row -> ByteString.of(row.host).printable() + " (" + row.requests + " requests, "
                        + Amount.of(row.sent) + " out, " + Amount.of(row.received) + " in)")
                .toList());
    }

    /// The hosts to which something was refused; the busiest, and how many more.
    List<String> refused() {
        return named(sorted().stream()
                .filter(row -> row.refused > 0)
                .map(row -> ByteString.of(row.host).printable())
                .toList());
    }

    private static List<String> named(List<String> hosts) {
        if (hosts.size() <= NAMED) {
            return hosts;
        }
        var some = new ArrayList<>(hosts.subList(0, NAMED));
        some.add((hosts.size() - NAMED) + " more");
        return some;
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
