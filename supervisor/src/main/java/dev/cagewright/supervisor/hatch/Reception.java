package dev.cagewright.supervisor.hatch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Takes connections and has each served on a thread of its own, until it is closed. So many at once, each so long;
/// others are cut off, and so is whoever is not welcome. Safe for all threads.
public final class Reception implements AutoCloseable {
    private static final long BACK_OFF = 50;

    private final ServerSocketChannel listening;
    private final Predicate<SocketChannel> welcome;
    private final Duration patience;
    private final Talk talk;
    private final Semaphore places;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    private Reception(ServerSocketChannel listening, Bounds bounds, Predicate<SocketChannel> welcome, Talk talk) {
        this.listening = listening;
        this.patience = bounds.patience();
        this.places = new Semaphore(bounds.places());
        this.welcome = welcome;
        this.talk = talk;
    }

    /// What is given to all who come, and to each.
    ///
    /// @param places how many are served at once
    /// @param patience from a connection's begin to its end, unless its deadline is begun anew
    public record Bounds(int places, Duration patience) {}

    /// What is said on one connection, which is closed afterwards.
    @FunctionalInterface
    public interface Talk {
        /// Whoever asks what nobody answers ends it by any exception.
        ///
        /// @param deadline when it is cut off
        void with(SocketChannel channel, Deadline deadline) throws IOException;
    }

    /// Begins to take connections.
    ///
    /// @param listening bound; the reception's from now on
    /// @param welcome looks at who is there before anything of theirs is read
    public static Reception open(
            ServerSocketChannel listening, Bounds bounds, Predicate<SocketChannel> welcome, Talk talk) {
        var reception = new Reception(listening, bounds, welcome, talk);
        Thread.ofPlatform().daemon().name("reception").start(reception::accept);
        return reception;
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                admit(listening.accept());
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException _) {
                if (!waited()) {
                    return;
                }
            }
        }
    }

    /// When no descriptor is left, say, there may be one soon.
    private static boolean waited() {
        try {
            Thread.sleep(BACK_OFF);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void admit(SocketChannel channel) throws IOException {
        if (!places.tryAcquire()) {
            channel.close();
            return;
        }
        open.add(channel);
        Thread.ofVirtual().start(() -> {
            var done = new CountDownLatch(1);
            var deadline = new Deadline(patience);
            Thread.ofVirtual().start(() -> cutOff(channel, deadline, done));
            try (channel) {
                if (welcome.test(channel)) {
                    talk.with(channel, deadline);
                }
            } catch (IOException | RuntimeException | StackOverflowError _) {
                return; // whoever asked is gone, or asks what nobody answers
            } finally {
                done.countDown();
                open.remove(channel);
                places.release();
            }
        });
    }

    private static void cutOff(SocketChannel channel, Deadline deadline, CountDownLatch done) {
        try {
            long left = deadline.left();
            while (left > 0 && !done.await(left, TimeUnit.NANOSECONDS)) {
                left = deadline.left();
            }
            if (left <= 0) {
                channel.close();
            }
        } catch (IOException _) {
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends every connection too.
    @Override
    public void close() {
        quietly(listening);
        open.forEach(Reception::quietly);
    }

    private static void quietly(Closeable closed) {
        try {
            closed.close();
        } catch (IOException _) {
            return;
        }
    }
}
