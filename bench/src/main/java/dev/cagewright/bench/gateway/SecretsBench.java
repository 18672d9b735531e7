package dev.cagewright.bench.gateway;

import dev.cagewright.bench.Effort;
import dev.cagewright.bench.Figures;
import dev.cagewright.bench.gateway.Order.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/// What the secrets of a session cost its exchanges: the packaged product with none, one and a thousand, each in a cage
/// of its own, asked in turns. Prints the figures, and what a thousand cost beside one. What runs meanwhile on the
/// machine is in both.
final class SecretsBench {
    private static final Duration WARM = Duration.ofSeconds(4);
    private static final String THOUSAND = "1000";
    private static final String ONE = "1";

    private final List<Between> ways;
    private final int turns;
    private final Duration time;

    private SecretsBench(List<Between> ways, Effort effort) {
        this.ways = ways;
        this.turns = effort == Effort.FULL ? 15 : 7;
        this.time = effort == Effort.FULL ? Duration.ofSeconds(2) : Duration.ofMillis(700);
    }

    /// What is asked.
    private record Kind(String name, String path, int connections) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("1 KiB, one at a time", "/1k", 1),
            new Kind("1 KiB, 16 at a time", "/1k", 16),
            new Kind("1 MiB, one at a time", "/1m", 1),
            new Kind("16 KiB of JSON, one at a time", "/json", 1));

    static void main(String... arguments) throws IOException, InterruptedException {
        var folder = Path.of(System.getProperty("bench.folder")).toRealPath();
        try (var cages = SecretCages.open(Files.createTempDirectory(folder, "secrets"), List.of(0, 1, 1_000))) {
            var bench = new SecretsBench(cages.ways(), Effort.of(arguments));
            for (var kind : KINDS) {
                bench.measure(kind);
            }
            cages.remove();
        }
        System.exit(0);
    }

    private Between.Round once(Between way, Kind kind, Duration length) throws IOException {
        var round = way.once(way.order().of(kind.path(), Style.KEEPS, kind.connections(), length));
        if (round.took().errors() > 0) {
            throw new IOException(way.name() + " secrets, " + kind + ": " + round.took());
        }
        return round;
    }

    private void measure(Kind kind) throws IOException {
        for (var way : ways) {
            once(way, kind, WARM);
        }
        Map<String, List<Between.Round>> taken = new HashMap<>();
        for (int i = 0; i < turns; i++) {
            for (int j = 0; j < ways.size(); j++) {
                var way = ways.get((i + j) % ways.size());
                taken.computeIfAbsent(way.name(), _ -> new ArrayList<>()).add(once(way, kind, time));
            }
        }
        for (var way : ways) {
            var rounds = taken.get(way.name());
            System.out.printf(
                    Locale.ROOT,
                    "%s, %s secrets: %.0f a second, p50 %.0f us, p99 %.0f us, processor time for 1,000 %.0f ms%n",
                    kind.name(),
                    way.name(),
                    middle(rounds, one -> Math.round(one.perSecond())),
                    middle(rounds, Yield::p50) / 1e3,
                    middle(rounds, Yield::p99) / 1e3,
                    processorTime(rounds) / 1e3);
        }
        System.out.printf(
                Locale.ROOT,
                "%s, a thousand beside one: p50 %.3fx, p99 %.3fx, a second %.3fx, processor time %.3fx%n",
                kind.name(),
                ratio(taken, Yield::p50),
                ratio(taken, Yield::p99),
                ratio(taken, one -> Math.round(1_000 * one.perSecond())),
                processorTime(taken.get(THOUSAND)) / processorTime(taken.get(ONE)));
    }

    /// Of the supervisor, for each answer, in nanoseconds.
    private static double processorTime(List<Between.Round> rounds) {
        long answers = rounds.stream().mapToLong(one -> one.took().answers()).sum();
        return rounds.stream().mapToDouble(Between.Round::proxyNanos).sum() / Math.max(1, answers);
    }

    private static double middle(List<Between.Round> rounds, ToLongFunction<Yield> of) {
        var sorted =
                rounds.stream().map(Between.Round::took).mapToLong(of).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /// The middle one of the ratios of each round.
    private static double ratio(Map<String, List<Between.Round>> taken, ToLongFunction<Yield> of) {
        return Figures.medianRatio(all(taken.get(THOUSAND), of), all(taken.get(ONE), of));
    }

    private static List<Long> all(List<Between.Round> rounds, ToLongFunction<Yield> of) {
        return Arrays.stream(
                        rounds.stream().map(Between.Round::took).mapToLong(of).toArray())
                .boxed()
                .toList();
    }
}
