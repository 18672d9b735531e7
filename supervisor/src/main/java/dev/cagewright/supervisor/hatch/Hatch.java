package dev.cagewright.supervisor.hatch;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/// Takes connections and has each one's request answered, until it is closed. Whoever sends slowly is cut off, whoever
/// comes when all places are taken is told so, and a clerk that fails is a 500 of its own connection. Safe for all
/// threads.
public final class Hatch implements AutoCloseable {
    /// What is left unread is read this far, so that an answer is not lost by a reset.
    private static final int MOST_LEFT = 1 << 20;

    private final Reception reception;

    private Hatch(Reception reception) {
        this.reception = reception;
    }

    /// What is given to each who comes.
    ///
    /// @param body the largest, bytes
    /// @param places how many are served at once; as many more are told that there is none, others are cut off
    /// @param patience until it is answered, and then until each piece of the answer is read
    public record Terms(int body, int places, Duration patience) {}

    /// Begins to take connections.
    ///
    /// @param listening bound; the hatch's from now on
    /// @param welcome looks at who is there before anything of theirs is read; others are cut off
    public static Hatch open(
            ServerSocketChannel listening, Terms terms, Predicate<SocketChannel> welcome, Clerk clerk) {
        return attended(listening, terms, welcome, (request, reply) -> reply.whole(clerk.answer(request)));
    }

    /// Like [#open] for answers that may take long: see [Reply#takesTime()].
    public static Hatch attended(
            ServerSocketChannel listening, Terms terms, Predicate<SocketChannel> welcome, Attendant attendant) {
        var bounds = new Reception.Bounds(2 * terms.places(), terms.patience());
        return new Hatch(Reception.open(listening, bounds, welcome, new Service(terms, attendant)));
    }

    /// One request of each connection.
    private record Service(Terms terms, Attendant attendant, Semaphore places) implements Reception.Talk {
        Service(Terms terms, Attendant attendant) {
            this(terms, attendant, new Semaphore(terms.places()));
        }

        @Override
        public void with(SocketChannel channel, Deadline deadline) throws IOException {
            boolean isServed = places.tryAcquire();
            try {
                serve(channel, deadline, isServed);
            } finally {
                if (isServed) {
                    places.release();
                }
            }
        }

        private void serve(SocketChannel channel, Deadline deadline, boolean isServed) throws IOException {
            var in = new BufferedInputStream(Channels.newInputStream(channel));
            var out = Channels.newOutputStream(channel);
            var reply = new Reply(out, deadline);
            try {
                attend(new RequestReader(in, out, terms.body()), in, reply, isServed);
            } finally {
                reply.over();
            }
            channel.shutdownOutput();
        }

        private static HatchAnswer full() {
            return HatchAnswer.problem(503, "hatch:full", "too many ask at once: ask again in a moment");
        }

        private void attend(RequestReader reader, InputStream in, Reply reply, boolean isServed) throws IOException {
            try {
                var request = reader.read();
                if (!isServed) {
                    reply.whole(full());
                    return;
                }
                Thread.ofVirtual().start(() -> reply.watch(in));
                attendant.attend(request, reply);
            } catch (BadRequestException e) {
                reply.whole(HatchAnswer.problem(e.status(), "request:malformed", String.valueOf(e.getMessage())));
                in.skipNBytes(Math.min(MOST_LEFT, in.available()));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | StackOverflowError e) {
                if (!reply.isBegun()) {
                    reply.whole(HatchAnswer.problem(
                            500,
                            "hatch:failed",
                            "this could not be answered (" + e.getClass().getSimpleName() + ")"));
                }
            }
        }
    }

    /// Ends every connection too.
    @Override
    public void close() {
        reception.close();
    }
}
