package dev.cagewright.sandbox.pool;

import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Runtime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The waiting cages of one specification, the oldest first. Guarded by its pool; times are those of
/// [System#nanoTime].
final class Shelf {
    private static final long FIRST_PAUSE = 1_000_000_000L;
    private static final int MOST_DOUBLINGS = 6;

    /// Building takes a processor, and whoever has just taken a cage runs something in it.
    private static final long CALM = 20_000_000L;

    /// A cage and when it was built.
    private record Waiting(Runtime.Spare spare, long since) {}

    private final SpecDigest digest;
    private final CageSpec spec;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int wanted;
    private int failures;
    private long nextTry;
    private long lastUse;
    private long lastTaken;

    Shelf(SpecDigest digest, CageSpec spec, long now) {
        this.digest = digest;
        this.spec = spec;
        this.nextTry = now;
        this.lastUse = now;
        this.lastTaken = now - CALM;
    }

    SpecDigest digest() {
        return digest;
    }

    CageSpec spec() {
        return spec;
    }

    int wanted() {
        return wanted;
    }

    int ready() {
        return waiting.size();
    }

    /// From now on so many shall wait.
    void want(int count, long now) {
        wanted = count;
        lastUse = now;
    }

    Optional<Runtime.Spare> take(long now) {
        lastUse = now;
        lastTaken = now;
        return Optional.ofNullable(waiting.poll()).map(Waiting::spare);
    }

    void put(Runtime.Spare spare, long now) {
        waiting.add(new Waiting(spare, now));
        failures = 0;
    }

    /// One could not be built: the next attempt is a second later, then two, up to about a minute.
    void fail(long now) {
        nextTry = now + (FIRST_PAUSE << Math.min(failures, MOST_DOUBLINGS));
        failures++;
    }

    boolean isShort() {
        return waiting.size() < wanted;
    }

    /// Nanoseconds until it may be filled up, not positive when it may be now: a moment after the last cage was taken,
    /// or at once when more than half of several are gone.
    long untilTry(long now) {
        long untilCalm = lastTaken + CALM - now;
        boolean hurry = waiting.size() < wanted / 2;
        return Math.max(nextTry - now, hurry ? 0 : untilCalm);
    }

    long unusedFor(long now) {
        return now - lastUse;
    }

    /// Nanoseconds until its oldest cage has waited for `age`; the longest when none waits.
    long untilOlderThan(long age, long now) {
        var oldest = waiting.peek();
        return oldest == null ? Long.MAX_VALUE : oldest.since() + age - now;
    }

    /// Removes those that have waited for `age` or longer.
    List<Runtime.Spare> removeOlderThan(long age, long now) {
        var old = new ArrayList<Runtime.Spare>();
        while (untilOlderThan(age, now) <= 0) {
            old.add(waiting.remove().spare());
        }
        return old;
    }

    List<Runtime.Spare> removeAll() {
        var all = waiting.stream().map(Waiting::spare).toList();
        waiting.clear();
        return all;
    }

    /// Removes what is above the wanted number.
    List<Runtime.Spare> removeSurplus() {
        var surplus = new ArrayList<Runtime.Spare>();
        while (waiting.size() > wanted) {
            surplus.add(waiting.remove().spare());
        }
        return surplus;
    }
}
