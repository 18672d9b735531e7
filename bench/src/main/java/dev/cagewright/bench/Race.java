package dev.cagewright.bench;

import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Several ways in one run, round by round and each round beginning with another one, so that a busy moment of
/// the machine hits all of them alike. Ratios are taken round by round.
final class Race implements AutoCloseable {
    private final List<Way> ways;
    private final int width;
    private final ExecutorService runners;
    private final Map<String, List<Long>> single = new HashMap<>();
    private final Map<String, List<Long>> whole = new HashMap<>();

    /// @param width how many programs of one way run at a time
    Race(List<Way> ways, int width) {
        this.ways = List.copyOf(ways);
        this.width = width;
        this.runners = Executors.newFixedThreadPool(width);
    }

    /// Runs rounds until the time is over, at least three, and forgets what was there before.
    void run(int seconds) throws IOException, InterruptedException, ConfinementException, DeniedException {
        forget();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int round = 0; round < 3 || System.nanoTime() < end; round++) {
            round(round);
        }
    }

    /// The same for a number of rounds.
    void rounds(int count) throws IOException, InterruptedException, ConfinementException, DeniedException {
        forget();
        for (int round = 0; round < count; round++) {
            round(round);
        }
    }

    private void forget() {
        single.clear();
        whole.clear();
    }

    private void round(int first) throws IOException, InterruptedException, ConfinementException, DeniedException {
        for (int i = 0; i < ways.size(); i++) {
            var way = ways.get((first + i) % ways.size());
            long begin = System.nanoTime();
            var times = width == 1 ? List.of(time(way)) : together(way);
            long all = width == 1 ? times.getFirst() : System.nanoTime() - begin;
            whole.computeIfAbsent(way.name(), _ -> new ArrayList<>()).add(all);
            single.computeIfAbsent(way.name(), _ -> new ArrayList<>()).addAll(times);
            way.recover();
        }
    }

    private static long time(Way way) throws IOException, InterruptedException, ConfinementException, DeniedException {
        long begin = System.nanoTime();
        var rest = way.once();
        long took = System.nanoTime() - begin;
        rest.giveBack();
        return took;
    }

    private List<Long> together(Way way) throws IOException, InterruptedException {
        Callable<Long> one = () -> time(way);
        var times = new ArrayList<Long>();
        for (var ended : runners.invokeAll(Collections.nCopies(width, one))) {
            try {
                times.add(ended.get());
            } catch (ExecutionException e) {
                throw new IOException(way.name(), e.getCause());
            }
        }
        return times;
    }

    /// Adds percentiles of each way, and ratios to `plain` and, where it ran, to `bubblewrap`.
    void write(Figures figures, String prefix) {
        for (var way : ways) {
            figures.percentiles(prefix + way.name(), single.get(way.name()));
            for (var base : List.of("plain", "bubblewrap")) {
                if (whole.containsKey(base)) {
                    double ratio = Figures.medianRatio(whole.get(way.name()), whole.get(base));
                    figures.put(prefix + way.name() + ".to-" + base, ratio);
                }
            }
        }
    }

    @Override
    public void close() {
        runners.close();
    }
}
