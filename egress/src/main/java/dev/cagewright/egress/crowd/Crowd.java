package dev.cagewright.egress.crowd;

import dev.cagewright.egress.refusal.Abort;
import io.netty.channel.Channel;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The open connections of one cage, at most so many. When there is one more, the one that has asked for nothing for
/// the longest time is reset in its place, so that whoever holds thousands does not keep the others out. What they have
/// said without asking for anything yet, half of a head for instance, is bounded as well: beyond it the one that began
/// first is reset. Safe for all threads.
public final class Crowd {
    /// What a cage's connections may have said together without asking for anything, bytes.
    static final long MOST_UNASKED = 32L << 20;

    /// Nobody holds more of one connection: a hello or a head of 64 KiB, and what is read at once.
    private static final long MOST_OF_ONE = 128L << 10;

    private final int most;
    private final long mostUnasked;
    private final Map<Channel, Long> unasked = new LinkedHashMap<>();
    private long allUnasked;
    private final Set<Channel> open = new LinkedHashSet<>();
    private final Set<Channel> idle = new LinkedHashSet<>();

    /// @param most at least 1
    public Crowd(int most) {
        this(most, MOST_UNASKED);
    }

    /// @param mostUnasked bytes that all together may have said without asking for anything
    Crowd(int most, long mostUnasked) {
        this.most = most;
        this.mostUnasked = mostUnasked;
    }

    /// Takes a new connection in; it asks for nothing yet.
    ///
    /// @return false if it was reset because all others are at work
    public boolean enter(Channel channel) {
        var leaving = admitted(channel);
        leaving.ifPresent(Abort::reset);
        if (leaving.filter(channel::equals).isPresent()) {
            return false;
        }
        channel.closeFuture().addListener(_ -> leave(channel));
        return true;
    }

    private synchronized Optional<Channel> admitted(Channel channel) {
        var leaving = Optional.<Channel>empty();
        if (open.size() >= most) {
            leaving = Optional.of(idle.isEmpty() ? channel : idle.iterator().next());
            leaving.ifPresent(this::forget);
        }
        if (leaving.filter(channel::equals).isEmpty()) {
            open.add(channel);
            idle.add(channel);
        }
        return leaving;
    }

    private synchronized void leave(Channel channel) {
        forget(channel);
    }

    private void forget(Channel channel) {
        open.remove(channel);
        idle.remove(channel);
        asked(channel);
    }

    private void asked(Channel channel) {
        var said = unasked.remove(channel);
        allUnasked -= said == null ? 0 : said;
    }

    /// It has said something. What it said counts until it is [#busy].
    public void said(Channel channel, long bytes) {
        for (var leaving = crowding(channel, bytes); leaving.isPresent(); leaving = crowding(channel, 0)) {
            Abort.reset(leaving.get());
        }
    }

    private synchronized Optional<Channel> crowding(Channel channel, long bytes) {
        if (!idle.contains(channel)) {
            return Optional.empty();
        }
        long before = unasked.getOrDefault(channel, 0L);
        long after = Math.min(MOST_OF_ONE, before + bytes);
        unasked.put(channel, after);
        allUnasked += after - before;
        if (allUnasked <= mostUnasked) {
            return Optional.empty();
        }
        var first = unasked.keySet().iterator().next();
        forget(first);
        return Optional.of(first);
    }

    /// It has a request under way, or carries bytes.
    public synchronized void busy(Channel channel) {
        idle.remove(channel);
        asked(channel);
    }

    /// Its request is over.
    public synchronized void idle(Channel channel) {
        if (open.contains(channel)) {
            asked(channel);
            idle.add(channel);
        }
    }
}
