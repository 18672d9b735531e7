package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.document.HostRule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/// What is granted in one session now. A grant ends by the clock of the wall or by one that nobody sets, whichever is
/// earlier: setting the clock back keeps none alive, and neither does a machine that sleeps. Safe for all threads;
/// asking takes no lock.
public final class LiveGrants {
    /// The most at once.
    static final int MOST = 64;

    private final InstantSource wall;
    private final LongSupplier nanos;
    private volatile List<Held> held = List.of();

    /// How it came to be.
    enum Source {
        RULE,
        PERSON
    }

    /// @param end by the clock that nobody sets
    record Held(Grant grant, long end, Source source) {}

    public LiveGrants() {
        this(InstantSource.system(), System::nanoTime);
    }

    /// @param nanos a clock that nobody sets, as [System#nanoTime]
    LiveGrants(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
    }

    /// The grant that covers `action` and is not over.
    Optional<Grant> covering(Action action) {
        for (var each : held) {
            if (each.grant().opening().covers(action) && !isOver(each)) {
                return Optional.of(each.grant());
            }
        }
        return Optional.empty();
    }

    /// Where a host is that only grants name, as rules of a policy say it.
    public List<HostRule> places(HostName host, int port) {
        return held.stream()
                .map(Held::grant)
                .filter(grant -> grant.opening().covers(new Action.NetConnect(host, port)))
                .findFirst()
                .map(Grant::places)
                .orElse(List.of());
    }

    /// Those that are not over.
    List<Held> all() {
        return held.stream().filter(each -> !isOver(each)).toList();
    }

    /// Does `other` say of a host that is granted already that it is elsewhere?
    boolean contradicts(Grant other) {
        return held.stream()
                .map(Held::grant)
                .anyMatch(grant -> grant.opening().host().equals(other.opening().host())
                        && !grant.addresses().equals(other.addresses()));
    }

    /// The end that a grant of `time` has by the clock of the wall.
    Instant endAfter(Duration time) {
        return wall.instant().plus(time);
    }

    /// Are there as many as may be?
    boolean isFull() {
        return held.size() >= MOST;
    }

    /// Has it hold from now on.
    synchronized void add(Grant grant, Duration time, Source source) {
        var more = new ArrayList<>(held);
        more.add(new Held(grant, nanos.getAsLong() + time.toNanos(), source));
        held = List.copyOf(more);
    }

    /// Takes it back.
    synchronized Optional<Grant> remove(DecisionId id) {
        return without(each -> each.grant().id().equals(id)).stream().findFirst();
    }

    /// Takes away what is over.
    synchronized List<Grant> takeOver() {
        return without(this::isOver);
    }

    private List<Grant> without(Predicate<Held> those) {
        var gone = held.stream().filter(those).map(Held::grant).toList();
        held = held.stream().filter(those.negate()).toList();
        return gone;
    }

    private boolean isOver(Held each) {
        return each.end() - nanos.getAsLong() <= 0
                || !wall.instant().isBefore(each.grant().until());
    }

    /// How long until the next one is over.
    Optional<Duration> untilNext() {
        return held.stream()
                .map(each -> Duration.ofNanos(each.end() - nanos.getAsLong()))
                .min(Duration::compareTo);
    }
}
