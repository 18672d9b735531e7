package dev.cagewright.egress.crowd;

import dev.cagewright.egress.refusal.Abort;
import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// The open connections of one cage, at most so many. When there is one more, the one that has asked for nothing for
/// the longest time is reset in its place, so that whoever holds thousands does not keep the others out. Safe for all
/// threads.
public final class Crowd {
    private final int most;
    private final Set<Channel> open = new LinkedHashSet<>();
    private final Set<Channel> idle = new LinkedHashSet<>();

    /// @param most at least 1
    public Crowd(int most) {
        this.most = most;
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
    }

    /// It has a request under way, or carries bytes.
    public synchronized void busy(Channel channel) {
        idle.remove(channel);
    }

    /// Its request is over.
    public synchronized void idle(Channel channel) {
        if (open.contains(channel)) {
            idle.add(channel);
        }
    }
}
