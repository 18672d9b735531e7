package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Dialogue;
import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Outbox;
import dev.cagewright.mcp.door.Reception;
import dev.cagewright.mcp.rpc.MessageReader.Read;
import dev.cagewright.supervisor.hatch.Reply;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/// One client that opened with `initialize`, over however many connections. Safe for all threads.
final class HttpSession implements AutoCloseable {
    /// How much waits for a client that has no stream open; what comes then is left out.
    private static final int MOST_WAITING = 64;

    private final Dialogue dialogue;
    private final ArrayBlockingQueue<Frame> unasked = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ReentrantLock turns = new ReentrantLock();
    private final AtomicBoolean hasStream = new AtomicBoolean();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile long lastUsed = System.nanoTime();
    private volatile boolean isClosed;

    HttpSession(Reception reception) {
        this.dialogue = new Dialogue(reception, new Unasked());
    }

    /// What belongs to no request waits for the client's stream.
    private final class Unasked implements Outbox {
        @Override
        public void answer(Frame frame) {
            tell(frame);
        }

        @Override
        public void noAnswer() {}

        @Override
        public void ask(Frame frame) {
            tell(frame);
        }

        @Override
        public void tell(Frame frame) {
            unasked.offer(frame);
        }
    }

    Dialogue dialogue() {
        return dialogue;
    }

    /// Hands in what the client sent by one connection.
    void receive(Read read, Outbox back) {
        turns.lock();
        try {
            dialogue.receive(read, back);
        } finally {
            turns.unlock();
        }
    }

    /// Sends what belongs to no request, until the client or the session goes.
    ///
    /// @return no, if there is such a stream already
    boolean stream(Reply reply) throws IOException, InterruptedException {
        if (!hasStream.compareAndSet(false, true)) {
            return false;
        }
        var isGone = new AtomicBoolean();
        try {
            reply.whenGone(() -> isGone.set(true));
            var stream = EventStream.begin(reply, Map.of());
            long silent = 0;
            while (!isClosed && !isGone.get()) {
                var frame = unasked.poll(1, TimeUnit.SECONDS);
                silent = frame == null ? silent + 1 : 0;
                if (frame != null) {
                    stream.event(frame);
                } else if (silent >= EventStream.BREATH.toSeconds()) {
                    stream.breathe();
                    silent = 0;
                }
            }
            return true;
        } finally {
            hasStream.set(false);
        }
    }

    /// A connection of the client begins.
    void enter() {
        connections.incrementAndGet();
        lastUsed = System.nanoTime();
    }

    void leave() {
        lastUsed = System.nanoTime();
        connections.decrementAndGet();
    }

    /// How long nothing has been there of the client, nanoseconds; none while something is.
    long idle() {
        return connections.get() > 0 ? 0 : System.nanoTime() - lastUsed;
    }

    @Override
    public void close() {
        isClosed = true;
        dialogue.close();
    }
}
