package dev.cagewright.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/// A runtime whose every cage has waited in a pool first; one that cannot be built ahead is refused by the pool as
/// its runtime would refuse it.
final class FromThePool implements Runtime {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ConcurrentHashMap<SpecDigest, Exception> failures = new ConcurrentHashMap<>();
    private final WarmPool pool;

    private FromThePool(Runtime runtime) {
        pool = WarmPool.over(runtime, PoolBounds.DEFAULT, event -> {
            if (event instanceof PoolEvent.BuildFailed(SpecDigest spec, Exception cause)) {
                failures.put(spec, cause);
            }
        });
    }

    static FromThePool start() throws ConfinementException {
        return new FromThePool(NamespacesRuntime.start(4));
    }

    @Override
    public String name() {
        return pool.name();
    }

    /// One after the other: whether the pool gave it is told by the pool's counts.
    @Override
    public synchronized Cage create(CageSpec spec) throws ConfinementException {
        var digest = SpecDigest.of(spec);
        pool.keep(spec.withId("waiting"), 1);
        awaitSpare(spec, digest);
        long claimed = pool.counts().claimed();
        var cage = pool.create(spec);
        pool.keep(spec, 0);
        assertThat(pool.counts().claimed()).as("cages out of the pool").isEqualTo(claimed + 1);
        return cage;
    }

    private void awaitSpare(CageSpec spec, SpecDigest digest) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (!failures.containsKey(digest) && System.nanoTime() < end) {
                if (pool.awaitReady(spec, Duration.ofMillis(20))) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Spare spare(CageSpec spec) throws ConfinementException {
        return pool.spare(spec);
    }

    @Override
    public void close() {
        pool.close();
    }
}
