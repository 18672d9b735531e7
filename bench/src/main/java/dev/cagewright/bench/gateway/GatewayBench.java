package dev.cagewright.bench.gateway;

import dev.cagewright.bench.Effort;
import dev.cagewright.bench.Figures;
import dev.cagewright.bench.gateway.Order.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The gateway of the packaged product, with a client in a real cage and a durable audit log, beside the way without
/// it and beside others. Ways take turns, round by round, each round beginning with another one.
final class GatewayBench {
    private static final Duration WARM = Duration.ofSeconds(3);

    private final Figures figures = new Figures();
    private final List<Between> ways;
    private final int rounds;
    private final Duration time;

    private GatewayBench(List<Between> ways, Effort effort) {
        this.ways = ways;
        this.rounds = effort == Effort.FULL ? 3 : 2;
        this.time = effort == Effort.FULL ? Duration.ofSeconds(2) : Duration.ofMillis(700);
    }

    static void main(String... arguments) throws IOException, InterruptedException {
        var folder = Path.of(System.getProperty("bench.folder")).toRealPath();
        try (var rig = Rig.build(Files.createTempDirectory(folder, "gateway"))) {
            var bench = new GatewayBench(rig.ways(), Effort.of(arguments));
            bench.warm();
            for (var load : Kind.values()) {
                bench.measure(load);
            }
            bench.memory();
            bench.figures.write("gateway");
            rig.remove();
        }
        System.exit(0);
    }

    /// What is asked of each way.
    enum Kind {
        KEEP_1("/1k", Style.KEEPS, 1),
        KEEP_16("/1k", Style.KEEPS, 16),
        KEEP_64("/1k", Style.KEEPS, 64),
        CLOSE_1("/1k", Style.CLOSES, 1),
        CLOSE_16("/1k", Style.CLOSES, 16),
        LARGE_1("/1m", Style.KEEPS, 1),
        LARGE_16("/1m", Style.KEEPS, 16);

        private final String path;
        private final Style style;
        private final int connections;

        Kind(String path, Style style, int connections) {
            this.path = path;
            this.style = style;
            this.connections = connections;
        }

        String figure(String way) {
            return "gateway." + name().toLowerCase(Locale.ROOT).replace("_", "") + "." + way;
        }
    }

    private void warm() throws IOException {
        for (var way : ways) {
            for (var kind : List.of(Kind.KEEP_16, Kind.CLOSE_16, Kind.LARGE_1, Kind.KEEP_16)) {
                var round = way.once(way.order().of(kind.path, kind.style, kind.connections, WARM));
                if (round.took().errors() > 0) {
                    throw new IOException(way.name() + ", " + kind + ": " + round.took());
                }
            }
        }
    }

    private static Between.Round once(Between way, Kind kind, Duration time) throws IOException {
        var round = way.once(way.order().of(kind.path, kind.style, kind.connections, time));
        if (round.took().errors() > 0) {
            throw new IOException(way.name() + ", " + kind + ": " + round.took());
        }
        return round;
    }

    private void measure(Kind kind) throws IOException {
        Map<String, List<Between.Round>> taken = new HashMap<>();
        for (int i = 0; i < rounds; i++) {
            for (int j = 0; j < ways.size(); j++) {
                var way = ways.get((i + j) % ways.size());
                taken.computeIfAbsent(way.name(), _ -> new ArrayList<>()).add(once(way, kind, time));
            }
        }
        for (var way : ways) {
            write(kind.figure(way.name()), taken.get(way.name()));
            for (var base : List.of("direct", "nginx", "haproxy")) {
                if (taken.containsKey(base)) {
                    figures.put(
                            kind.figure(way.name()) + ".to-" + base,
                            Figures.medianRatio(rates(taken.get(way.name())), rates(taken.get(base))));
                }
            }
        }
    }

    private static List<Long> rates(List<Between.Round> rounds) {
        return rounds.stream()
                .map(round -> Math.round(1_000 * round.took().perSecond()))
                .toList();
    }

    private void write(String name, List<Between.Round> taken) {
        put(
                name + ".rate",
                taken.stream().map(round -> round.took().perSecond()).toList());
        put(
                name + ".p50",
                taken.stream().map(round -> (double) round.took().p50()).toList());
        put(
                name + ".p99",
                taken.stream().map(round -> (double) round.took().p99()).toList());
        put(
                name + ".bytes",
                taken.stream()
                        .map(round -> round.took().bytes() * 1e9 / round.took().nanos())
                        .toList());
        put(
                name + ".cpu",
                taken.stream()
                        .map(round -> 1_000.0
                                * round.proxyNanos()
                                / Math.max(1, round.took().answers()))
                        .toList());
        put(
                name + ".client-cpu",
                taken.stream()
                        .map(round -> 1_000.0
                                * round.took().cpu()
                                / Math.max(1, round.took().answers()))
                        .toList());
    }

    private void put(String name, List<Double> values) {
        var sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        figures.put(name, sorted[(sorted.length - 1) / 2]);
    }

    private void memory() throws IOException {
        for (var way : ways) {
            if (way.proxy().isPresent()) {
                figures.put("gateway.memory." + way.name(), way.proxy().get().resident());
            }
        }
    }
}
