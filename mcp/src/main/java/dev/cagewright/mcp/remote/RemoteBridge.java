package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostRequest.Header;
import dev.cagewright.mcp.guest.GuestProgram.End;
import dev.cagewright.mcp.guest.GuestProgram.Hope;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.mcp.rpc.RpcId;
import dev.cagewright.mcp.stdio.FrameReader;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/// A server elsewhere, as something that reads and writes lines. Each line that comes in is sent by a request of its
/// own, and whatever comes back goes out as lines.
public final class RemoteBridge {
    /// So many requests may be on their way at once; others wait.
    private static final int MOST_AT_ONCE = 128;

    /// How long a message may take that has no answer.
    private static final Duration UNANSWERED = Duration.ofMinutes(1);

    private static final Duration FAREWELL = Duration.ofMillis(1_500);

    /// Far more than a line that was judged before can have.
    private static final int MOST_LINE = 64 << 20;

    private final Whose whose;
    private final RemoteAddress address;
    private final Conversation conversation;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final Map<RpcId, Asked> underWay = new ConcurrentHashMap<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<String> end = new CompletableFuture<>();

    /// Who asks.
    ///
    /// @param name of the server
    /// @param session its gateway is the only way out
    /// @param secrets whose decoys the headers may have
    public record Whose(String name, Session session, PolicyInForce policy, RunSecrets secrets) {}

    /// A request that has no answer yet.
    private record Asked(Thread thread, boolean isStateless) {}

    /// @param headers that go with every request; no values of secrets
    public RemoteBridge(Whose whose, RemoteAddress address, List<Header> headers) {
        this.whose = whose;
        this.address = address;
        this.conversation = new Conversation(headers);
    }

    /// Carries lines until one side ends.
    ///
    /// @param ready is handed what ends it, once it is there
    /// @return how it ended
    public End run(Streams.Pipes pipes, Runs ready) throws InterruptedException {
        try (var route = GatewayRoute.open(whose.session(), whose.policy(), whose.secrets(), address.at())) {
            var wire = new Wire(
                    whose.name(), new Wire.Ends(route, address, conversation), pipes, why -> end.complete(why));
            ready.runs(_ -> end.complete("was told to end"));
            begin(() -> read(pipes, wire));
            whose.policy()
                    .effective()
                    .resources()
                    .timeout()
                    .map(time -> time.value())
                    .ifPresent(this::endAfter);
            try {
                var why = end.get();
                return new End(why, wire.isRefusedOnly() ? Hope.NONE : Hope.AGAIN);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e); // nobody completes it so
            } finally {
                wire.end();
                leave(wire);
            }
        } catch (ConfinementException | IOException e) {
            return new End("cannot be reached: " + e.getMessage(), Hope.NONE);
        }
    }

    private void endAfter(Duration time) {
        end.completeOnTimeout(
                "ran out of the time of its policy (resources.timeout)", time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Hears that a bridge is there.
    @FunctionalInterface
    public interface Runs {
        /// It is there.
        ///
        /// @param signal ends it, whichever signal it is
        void runs(IntConsumer signal);
    }

    private void begin(Work work) {
        prepared(work).start();
    }

    private Thread prepared(Work work) {
        var thread = Thread.ofVirtual().name("mcp-remote").unstarted(() -> {
            try {
                work.done();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt(); // nobody waits for it
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        return thread;
    }

    /// Something that an interrupt ends.
    @FunctionalInterface
    private interface Work {
        void done() throws InterruptedException;
    }

    private void read(Streams.Pipes pipes, Wire wire) throws InterruptedException {
        var frames = new FrameReader(pipes.in(), MOST_LINE);
        try {
            while (frames.next() instanceof FrameReader.Read.Line line) {
                if (MessageReader.read(line.bytes(), MOST_LINE) instanceof Read.Single(Message message)) {
                    send(message, wire);
                }
            }
            end.complete("was left");
        } catch (IOException e) {
            end.complete("could not be written to: " + e.getMessage());
        }
    }

    private void send(Message message, Wire wire) throws InterruptedException {
        switch (message) {
            case Message.Request request -> ask(request, wire);
            case Message.Notification(String method, var params)
            when method.equals("notifications/cancelled") -> {
                var id = params.member("requestId").flatMap(RpcId::of);
                if (!id.map(this::takeBack).orElse(false)) {
                    tell(message, wire);
                }
            }
            case Message.Notification(String method, var _)
            when method.equals("notifications/initialized") -> {
                new Posting(wire, message).post(UNANSWERED); // before anything that comes after it
                begin(new UnaskedStream(wire)::hear);
            }
            case Message.Notification _, Message.Result _, Message.Failure _ -> tell(message, wire);
        }
    }

    private void tell(Message message, Wire wire) {
        begin(() -> new Posting(wire, message).post(UNANSWERED));
    }

    private void ask(Message.Request request, Wire wire) {
        var thread = prepared(() -> {
            try {
                places.acquire();
                try {
                    new Posting(wire, request).post(Posting.LONGEST);
                } finally {
                    places.release();
                }
            } finally {
                underWay.remove(request.id());
            }
        });
        underWay.put(request.id(), new Asked(thread, Conversation.isStateless(request)));
        thread.start();
    }

    /// Ends the exchange of a request that nobody waits for.
    ///
    /// @return whether that tells the server, too
    @SuppressWarnings("Interruption") // the thread waits for an answer, and that is what nobody wants any more
    private boolean takeBack(RpcId id) {
        var asked = Optional.ofNullable(underWay.get(id));
        asked.ifPresent(one -> one.thread().interrupt());
        return asked.map(Asked::isStateless).orElse(false);
    }

    /// Ends what is under way, and the session.
    @SuppressWarnings("Interruption") // the threads wait for the server, and that is what is over
    private void leave(Wire wire) throws InterruptedException {
        var last = Set.copyOf(threads);
        last.forEach(Thread::interrupt);
        if (!conversation.hasSession() || !wire.allows("DELETE")) {
            return;
        }
        try {
            wire.send(
                    new Wire.Sent("DELETE", conversation.bare(), Optional.empty()),
                    FAREWELL,
                    new Hearing(Deaf.LISTENER));
        } catch (RefusedException | IOException _) {
            return; // then it ends by itself
        }
    }

    /// Nobody needs to know.
    private enum Deaf implements Hearing.Listener {
        LISTENER;

        @Override
        public void begun(HostAnswer.Head head) {}

        @Override
        public void event(byte[] data) {}
    }
}
