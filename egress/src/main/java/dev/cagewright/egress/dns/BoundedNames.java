package dev.cagewright.egress.dns;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.policy.action.HostName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps a cage from filling the log with look-ups: what was answered a moment ago is answered again without being
/// judged, and of new names only so many a second are judged at all; the others get the sinkhole. An answer opens
/// nothing by itself, for each connection is judged. Safe for all threads.
public final class BoundedNames implements Names {
    /// New names at once, e.g. when a build starts.
    static final int BURST = 400;

    /// New names a second from then on.
    static final int PER_SECOND = 40;

    private static final long SECOND = 1_000_000_000;
    private static final long REMEMBERED_NANOS = 2 * SECOND;
    private static final int MAX_REMEMBERED = 1_024;
    private static final Refused TOO_MANY =
            new Refused("", "TOO_MANY: more than " + PER_SECOND + " new names a second", SyntheticAddresses.SINKHOLE);

    private record Remembered(Ruling ruling, long since) {}

    private final Names names;
    private final LongSupplier nanoTime;
    private final AtomicLong withheld = new AtomicLong();
    private final Map<HostName, Remembered> remembered = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<HostName, Remembered> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    /// Those that are being judged; guarded by `remembered`, like all that follows.
    private final Map<HostName, CompletableFuture<Ruling>> underway = new HashMap<>();

    private long nanosInHand = BURST * (SECOND / PER_SECOND);
    private long last;

    public BoundedNames(Names names) {
        this(names, System::nanoTime);
    }

    BoundedNames(Names names, LongSupplier nanoTime) {
        this.names = names;
        this.nanoTime = nanoTime;
        this.last = nanoTime.getAsLong();
    }

    /// One question for a name is enough where several come at once, as for both kinds of address.
    @Override
    public Ruling of(HostName name) {
        var own = new CompletableFuture<Ruling>();
        CompletableFuture<Ruling> other;
        synchronized (remembered) {
            other = underway.get(name);
            if (other == null) {
                var known = knownOrNull(name);
                if (known != null) {
                    return known;
                }
                underway.put(name, own);
            }
        }
        return other == null ? judged(name, own) : other.join();
    }

    private Ruling judged(HostName name, CompletableFuture<Ruling> own) {
        try {
            var ruling = names.of(name);
            own.complete(ruling);
            return ruling;
        } finally {
            own.completeExceptionally(new IllegalStateException("the name could not be judged"));
            synchronized (remembered) {
                if (underway.remove(name, own) && !own.isCompletedExceptionally()) {
                    remembered.put(name, new Remembered(own.join(), nanoTime.getAsLong()));
                }
            }
        }
    }

    /// The next look-up of `name` is judged, whatever was answered a moment ago.
    public void forget(HostName name) {
        synchronized (remembered) {
            remembered.remove(name);
            underway.remove(name);
        }
    }

    private @Nullable Ruling knownOrNull(HostName name) {
        long now = nanoTime.getAsLong();
        var known = remembered.get(name);
        if (known != null && now - known.since() < REMEMBERED_NANOS) {
            return known.ruling();
        }
        remembered.remove(name);
        if (!takes(now)) {
            withheld.incrementAndGet();
            return TOO_MANY;
        }
        return null;
    }

    private boolean takes(long now) {
        long cost = SECOND / PER_SECOND;
        nanosInHand = Math.min(nanosInHand + (now - last), BURST * cost);
        last = now;
        if (nanosInHand < cost) {
            return false;
        }
        nanosInHand -= cost;
        return true;
    }

    /// How many look-ups were answered with the sinkhole because there were too many.
    public long withheld() {
        return withheld.get();
    }

    @Override
    public Optional<HostName> nameOf(IpAddress address) {
        return names.nameOf(address);
    }
}
