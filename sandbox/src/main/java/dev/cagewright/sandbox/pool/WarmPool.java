package dev.cagewright.sandbox.pool;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A runtime that keeps cages of another one ready, by [SpecDigest]. A cage that waits has run nothing, is
/// handed on once and destroyed after its session; one that its runtime would not build the same way any more
/// is destroyed instead of used. Only when none is ready is one built while the caller waits. Owns its runtime
/// and one thread. Safe for all threads.
@SuppressWarnings("AvoidCommonTypeNames") // the port's name
public final class WarmPool implements Runtime {
    /// A cage on its way out, and what to tell about it.
    private record Doomed(Runtime.Spare spare, PoolEvent event) {}

    /// What the pool's thread does next.
    private sealed interface Work {
        record Build(Shelf shelf) implements Work {}

        record Destroy(Doomed doomed) implements Work {}

        record Stop() implements Work {}
    }

    private final Runtime runtime;
    private final PoolBounds bounds;
    private final Consumer<PoolEvent> listener;
    private final Map<SpecDigest, Shelf> shelves = new LinkedHashMap<>();
    private final Queue<Doomed> doomed = new ArrayDeque<>();
    private final Thread thread;
    private boolean closed;
    private long claimed;
    private long missed;
    private long discarded;
    private long failed;

    private WarmPool(Runtime runtime, PoolBounds bounds, Consumer<PoolEvent> listener) {
        this.runtime = runtime;
        this.bounds = bounds;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("cagewright-pool").unstarted(this::work);
    }

    /// A pool over `runtime`, empty until [#keep] says what to keep.
    ///
    /// @param listener told on any thread; must not call the pool
    public static WarmPool over(Runtime runtime, PoolBounds bounds, Consumer<PoolEvent> listener) {
        var pool = new WarmPool(runtime, bounds, listener);
        pool.thread.start();
        return pool;
    }

    @Override
    public String name() {
        return runtime.name();
    }

    /// From now on `count` cages of `spec` shall be ready; 0 to keep none. They are built in the background.
    ///
    /// @throws IllegalArgumentException if all specifications together want more than the bounds allow, or if
    ///     writes shall go elsewhere: such a folder belongs to one session
    public synchronized void keep(CageSpec spec, int count) {
        if (!spec.diversions().isEmpty()) {
            throw new IllegalArgumentException(
                    "diversions: " + spec.diversions().size() + " (expected: none in a cage built ahead)");
        }
        var digest = SpecDigest.of(spec);
        int others = shelves.values().stream()
                .filter(shelf -> !shelf.digest().equals(digest))
                .mapToInt(Shelf::wanted)
                .sum();
        if (count < 0 || others + count > bounds.spares()) {
            throw new IllegalArgumentException("spares: " + count + " beside " + others
                    + " of other specifications (expected: at most " + bounds.spares() + " together)");
        }
        long now = System.nanoTime();
        var shelf = shelves.computeIfAbsent(digest, key -> new Shelf(key, spec, now));
        shelf.want(count, now);
        shelf.removeSurplus().forEach(spare -> doom(spare, new PoolEvent.Discarded(digest, "fewer are wanted")));
        if (count == 0) {
            shelves.remove(digest);
        }
        notifyAll();
    }

    @Override
    public Cage create(CageSpec spec) throws ConfinementException {
        var digest = digestOf(spec);
        for (var spare = take(digest); spare.isPresent(); spare = take(digest)) {
            try {
                var cage = spare.get().claim(spec.id());
                count(Served.CLAIMED);
                return cage;
            } catch (ConfinementException e) {
                discard(spare.get(), new PoolEvent.Discarded(digest, e.reason()));
            }
        }
        var cage = runtime.create(spec);
        count(Served.MISSED);
        return cage;
    }

    /// Most callers ask for just what is kept, and comparing is quicker than hashing.
    private synchronized SpecDigest digestOf(CageSpec spec) {
        return shelves.values().stream()
                .filter(shelf -> shelf.spec().withId(spec.id()).equals(spec))
                .findFirst()
                .map(Shelf::digest)
                .orElseGet(() -> SpecDigest.of(spec));
    }

    private synchronized Optional<Runtime.Spare> take(SpecDigest digest) {
        var shelf = shelves.get(digest);
        if (shelf == null || closed) {
            return Optional.empty();
        }
        long now = System.nanoTime();
        shelf.removeOlderThan(bounds.age().toNanos(), now).forEach(old -> doom(old, tooOld(shelf)));
        var taken = shelf.take(now);
        notifyAll();
        return taken;
    }

    private enum Served {
        CLAIMED,
        MISSED
    }

    private synchronized void count(Served how) {
        switch (how) {
            case CLAIMED -> claimed++;
            case MISSED -> missed++;
        }
    }

    /// Nothing is kept of this one: a spare is the use of one session.
    @Override
    public Spare spare(CageSpec spec) throws ConfinementException {
        return runtime.spare(spec);
    }

    private PoolEvent tooOld(Shelf shelf) {
        return new PoolEvent.Discarded(shelf.digest(), "it has waited for " + bounds.age());
    }

    private synchronized void discard(Runtime.Spare spare, PoolEvent event) {
        doom(spare, event);
        notifyAll();
    }

    /// Destroying takes a moment, so the pool's thread does it.
    private void doom(Runtime.Spare spare, PoolEvent event) {
        doomed.add(new Doomed(spare, event));
        discarded++;
    }

    private void work() {
        while (true) {
            switch (next()) {
                case Work.Build(var shelf) -> build(shelf);
                case Work.Destroy(var out) -> {
                    out.spare().close();
                    listener.accept(out.event());
                }
                case Work.Stop _ -> {
                    return;
                }
            }
        }
    }

    private synchronized Work next() {
        while (!closed) {
            long now = System.nanoTime();
            forgetUnused(now);
            shelves.values()
                    .forEach(shelf -> shelf.removeOlderThan(bounds.age().toNanos(), now)
                            .forEach(old -> doom(old, tooOld(shelf))));
            if (!doomed.isEmpty()) {
                return new Work.Destroy(doomed.remove());
            }
            var due = shelves.values().stream()
                    .filter(shelf -> shelf.isShort() && shelf.untilTry(now) <= 0)
                    .findFirst();
            if (due.isPresent()) {
                return new Work.Build(due.get());
            }
            sleep(untilSomethingIsDue(now));
        }
        return new Work.Stop();
    }

    private void forgetUnused(long now) {
        var unused = shelves.values().stream()
                .filter(shelf -> shelf.unusedFor(now) > bounds.unused().toNanos())
                .toList();
        for (var shelf : unused) {
            shelves.remove(shelf.digest());
            shelf.removeAll().forEach(spare -> doom(spare, new PoolEvent.Forgotten(shelf.digest())));
        }
    }

    private long untilSomethingIsDue(long now) {
        long least = TimeUnit.HOURS.toNanos(1);
        for (var shelf : shelves.values()) {
            least = Math.min(least, bounds.unused().toNanos() - shelf.unusedFor(now) + 1);
            least = Math.min(least, shelf.untilOlderThan(bounds.age().toNanos(), now));
            least = shelf.isShort() ? Math.min(least, shelf.untilTry(now)) : least;
        }
        return least;
    }

    @SuppressWarnings("WaitNotInLoop") // next() is the loop
    private void sleep(long nanos) {
        try {
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    private void build(Shelf shelf) {
        try {
            shelve(shelf, runtime.spare(shelf.spec()));
        } catch (ConfinementException | RuntimeException e) {
            noteFailure(shelf);
            listener.accept(new PoolEvent.BuildFailed(shelf.digest(), e));
        }
    }

    /// Meanwhile the pool may have been closed, or nobody may want it any more.
    private void shelve(Shelf shelf, Runtime.Spare built) {
        synchronized (this) {
            if (!closed && shelves.get(shelf.digest()) == shelf && shelf.isShort()) {
                shelf.put(built, System.nanoTime());
                notifyAll();
                return;
            }
        }
        built.close();
    }

    private synchronized void noteFailure(Shelf shelf) {
        shelf.fail(System.nanoTime());
        failed++;
    }

    /// Waits until as many cages of `spec` are ready as shall be.
    ///
    /// @return whether they are; false when `patience` was over first or none shall be
    public synchronized boolean awaitReady(CageSpec spec, Duration patience) throws InterruptedException {
        var digest = SpecDigest.of(spec);
        long end = System.nanoTime() + patience.toNanos();
        while (!closed) {
            var shelf = shelves.get(digest);
            long left = end - System.nanoTime();
            if (shelf != null && !shelf.isShort()) {
                return true;
            }
            if (shelf == null || left <= 0) {
                return false;
            }
            wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }
        return false;
    }

    public synchronized PoolCounts counts() {
        int ready = shelves.values().stream().mapToInt(Shelf::ready).sum();
        return new PoolCounts(ready, claimed, missed, discarded, failed);
    }

    /// Destroys what waits and closes the runtime, with every cage that came out of the pool.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = join();
        remaining().forEach(Runtime.Spare::close);
        runtime.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean join() {
        try {
            thread.join();
            return false;
        } catch (InterruptedException _) {
            return true;
        }
    }

    private synchronized List<Runtime.Spare> remaining() {
        var all = new ArrayList<Runtime.Spare>();
        doomed.forEach(out -> all.add(out.spare()));
        shelves.values().forEach(shelf -> all.addAll(shelf.removeAll()));
        doomed.clear();
        shelves.clear();
        return all;
    }
}
