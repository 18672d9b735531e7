package dev.cagewright.escape;

import dev.cagewright.escape.Probe.Twin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// One person's probes, done one after the other on a thread of their own, so that two persons need not wait for each
/// other.
final class Outcomes {
    private final List<Probe> probes;
    private final Map<String, CompletableFuture<Outcome>> outcomes = new ConcurrentHashMap<>();

    Outcomes(List<Probe> probes) {
        this.probes = probes;
        for (Probe probe : probes) {
            outcomes.put(probe.id() + " allowed", new CompletableFuture<>());
            outcomes.put(probe.id() + " denied", new CompletableFuture<>());
        }
    }

    void start(String name) {
        Thread.ofPlatform().daemon().name("probes of " + name).start(() -> {
            for (Probe probe : probes) {
                expected(probe, "allowed").complete(attempt(probe.allowed()));
                expected(probe, "denied").complete(attempt(probe.denied()));
            }
        });
    }

    /// Waits for it.
    Outcome of(Probe probe, String side) {
        return expected(probe, side).join();
    }

    private CompletableFuture<Outcome> expected(Probe probe, String side) {
        return Objects.requireNonNull(outcomes.get(probe.id() + " " + side), probe.id());
    }

    private static Outcome attempt(Twin twin) {
        try {
            return twin.trial().attempt();
        } catch (Exception | AssertionError e) {
            return Outcome.fell(e.toString());
        }
    }
}
