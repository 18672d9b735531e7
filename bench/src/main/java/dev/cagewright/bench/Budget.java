package dev.cagewright.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// One promise of speed and the figure that settles it.
///
/// @param name what [Notes] calls it
/// @param what for people
/// @param figure a name in [Figures]
/// @param bound the largest value that keeps it, or the smallest for [Sense#AT_LEAST]
/// @param unit how the figure is written
record Budget(String name, String what, String figure, Sense sense, double bound, Unit unit) {
    enum Sense {
        AT_MOST,
        AT_LEAST
    }

    enum Verdict {
        MET("met"),
        MISSED("**missed**"),
        NOT_MEASURED("not measured");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /// What the design says.
    static final List<Budget> ALL = List.of(
            atMost("decision-time", "decision, 1,000 rules, p99", "decision.worst.p99", 200, Unit.NANOSECONDS),
            atMost("decision-bytes", "decision, 1,000 rules, allocation", "decision.worst.bytes", 0.5, Unit.BYTES),
            atMost("cage-plain", "new cage for `true`, to a plain spawn", "spawn.cage.to-plain", 1.3, Unit.RATIO),
            atMost("cage-bwrap", "new cage for `true`, to bubblewrap", "spawn.cage.to-bubblewrap", 0.5, Unit.RATIO),
            atMost(
                    "pooled",
                    "`true` in a cage out of the pool, to a plain spawn",
                    "spawn.pooled.to-plain",
                    1,
                    Unit.RATIO),
            atMost(
                    "standing",
                    "`true` in a cage that stands, to a plain spawn",
                    "spawn.standing.to-plain",
                    1,
                    Unit.RATIO),
            atMost("idle-memory", "idle cage, memory", "idle.memory", 512 << 10, Unit.KIBIBYTES),
            atMost("idle-descriptors", "idle cage, descriptors", "idle.descriptors", 4, Unit.COUNT),
            atLeast("alive", "cages alive at once", "alive.count", 1_000),
            atLeast("append-64", "durable events a second, 64 producers", "append.64.events", 250_000),
            atLeast("append-1000", "durable events a second, 1,000 producers", "append.1000.events", 1_000_000),
            atMost("append-alone", "one event alone, to one flush", "flush.append.to-plain", 1.25, Unit.RATIO),
            atMost("cold-run", "`cagewright run -- true`, cold, p50", "cold.run.p50", 100e6, Unit.MILLISECONDS));

    /// The same of the gateway.
    static final List<Budget> GATEWAY = List.of(
            atLeast(
                    "gateway-rate",
                    "inspected HTTPS, keep-alive, 16 at a time, to nginx",
                    "gateway.keep16.inspecting.to-nginx",
                    0.7,
                    Unit.RATIO),
            atMost(
                    "gateway-cpu",
                    "the same, processor time for 1,000 requests",
                    "gateway.keep16.inspecting.cpu",
                    30e6,
                    Unit.MILLISECONDS),
            atMost(
                    "gateway-added",
                    "inspected HTTPS, one at a time, p50 beyond direct and one flush",
                    "gateway.added",
                    200e3,
                    Unit.MICROSECONDS),
            atLeast(
                    "gateway-new",
                    "new inspected connections, 16 at a time, to haproxy",
                    "gateway.close16.inspecting.to-haproxy",
                    1,
                    Unit.RATIO),
            atMost(
                    "gateway-new-cpu",
                    "a new inspected connection, processor time",
                    "gateway.new-cpu",
                    2e6,
                    Unit.MILLISECONDS),
            atMost(
                    "gateway-memory",
                    "supervisor with the gateway up, resident",
                    "gateway.memory.inspecting",
                    100 << 20,
                    Unit.KIBIBYTES));

    private static Budget atMost(String name, String what, String figure, double bound, Unit unit) {
        return new Budget(name, what, figure, Sense.AT_MOST, bound, unit);
    }

    private static Budget atLeast(String name, String what, String figure, double bound) {
        return atLeast(name, what, figure, bound, Unit.COUNT);
    }

    private static Budget atLeast(String name, String what, String figure, double bound, Unit unit) {
        return new Budget(name, what, figure, Sense.AT_LEAST, bound, unit);
    }

    Verdict verdict(OptionalDouble measured) {
        if (measured.isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        boolean kept = sense == Sense.AT_MOST ? measured.getAsDouble() <= bound : measured.getAsDouble() >= bound;
        return kept ? Verdict.MET : Verdict.MISSED;
    }

    /// `<= 1.30x`.
    String promise() {
        return String.format(Locale.ROOT, "%s %s", sense == Sense.AT_MOST ? "<=" : ">=", unit.words(bound));
    }
}
