package dev.cagewright.bench;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// How long to measure. Every measurement is bounded by time, so that a busy machine lengthens none.
public enum Effort {
    SHORT(1, 1, 300, 12, 20, 5),
    FULL(2, 2, 1_000, 90, 100, 20);

    private final int warmups;
    private final int iterations;
    private final int iterationMillis;
    private final int spawnSeconds;
    private final int cages;
    private final int coldStarts;

    Effort(int warmups, int iterations, int iterationMillis, int spawnSeconds, int cages, int coldStarts) {
        this.warmups = warmups;
        this.iterations = iterations;
        this.iterationMillis = iterationMillis;
        this.spawnSeconds = spawnSeconds;
        this.cages = cages;
        this.coldStarts = coldStarts;
    }

    /// `--short` or nothing.
    public static Effort of(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("--short") ? SHORT : FULL;
    }

    ChainedOptionsBuilder options(Class<?> benchmark) {
        return new OptionsBuilder()
                .include("\\." + benchmark.getSimpleName() + "\\.")
                .warmupIterations(warmups)
                .warmupTime(TimeValue.milliseconds(iterationMillis))
                .measurementIterations(iterations)
                .measurementTime(TimeValue.milliseconds(iterationMillis));
    }

    int spawnSeconds() {
        return spawnSeconds;
    }

    int cages() {
        return cages;
    }

    int coldStarts() {
        return coldStarts;
    }
}
