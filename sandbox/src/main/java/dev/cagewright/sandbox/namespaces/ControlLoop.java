package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.EventPoll;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.namespaces.streams.Readiness;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// One thread that reads what all helpers of a runtime say, and sees when a program has something to say. It alone
/// closes the descriptors it watches, so
/// none is closed, and its number taken by another file, while it waits for it.
final class ControlLoop implements Readiness, AutoCloseable {
    /// The key of what wakes the loop itself.
    private static final long WAKE = 0;

    private final Map<Descriptor, Long> keys = new ConcurrentHashMap<>();
    private final Map<Long, Runnable> listeners = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Runnable> changes = new ConcurrentLinkedQueue<>();
    private final EventPoll poll;
    private final Descriptor wake;
    private final Thread thread;
    private long lastKey = WAKE;
    private boolean closing;
    private boolean over;

    private ControlLoop(EventPoll poll, Descriptor wake) {
        this.poll = poll;
        this.wake = wake;
        this.thread = Thread.ofPlatform().daemon().name("cagewright-control").unstarted(this::run);
    }

    static ControlLoop start() throws KernelException {
        var poll = EventPoll.open();
        try {
            var wake = new Descriptor(FileControl.eventCounter());
            poll.add(wake.number(), WAKE);
            var loop = new ControlLoop(poll, wake);
            loop.thread.start();
            return loop;
        } catch (KernelException e) {
            poll.close();
            throw e;
        }
    }

    /// A descriptor at its end is ready until it is retired. The thread is not woken for this.
    @Override
    public synchronized void watch(Descriptor descriptor, Runnable ready) {
        long key = ++lastKey;
        keys.put(descriptor, key);
        listeners.put(key, ready);
        if (over) {
            return;
        }
        try {
            poll.add(descriptor.number(), key);
        } catch (KernelException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void retire(Descriptor descriptor) {
        giveBack(descriptor, descriptor::close);
    }

    @Override
    public void giveBack(Descriptor descriptor, Runnable then) {
        change(() -> {
            forget(descriptor);
            then.run();
        });
    }

    private void forget(Descriptor descriptor) {
        var key = keys.remove(descriptor);
        if (key != null) {
            listeners.remove(key);
            if (!over) {
                poll.remove(descriptor.number());
            }
        }
    }

    private synchronized void change(Runnable change) {
        if (over) {
            change.run();
            return;
        }
        changes.add(change);
        if (Thread.currentThread() != thread) {
            poke();
        }
    }

    private void poke() {
        try (var arena = Arena.ofConfined()) {
            FileControl.write(wake.number(), arena.allocateFrom(ValueLayout.JAVA_LONG, 1L));
        } catch (KernelException e) {
            if (e.errno() != Errno.EAGAIN) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void run() {
        while (!closing) {
            for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
                change.run();
            }
            if (!closing) {
                waitOnce();
            }
        }
        closeWatched();
    }

    private synchronized void closeWatched() {
        keys.keySet().forEach(Descriptor::close);
        keys.clear();
    }

    private void waitOnce() {
        try {
            for (long key : poll.await()) {
                if (key == WAKE) {
                    drainWake();
                } else {
                    tell(key);
                }
            }
        } catch (KernelException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A key is never given out twice, so what was retired in the same round is just not there any more.
    private void tell(long key) {
        var listener = listeners.get(key);
        if (listener != null) {
            listener.run();
        }
    }

    private void drainWake() throws KernelException {
        try (var arena = Arena.ofConfined()) {
            FileControl.read(wake.number(), arena.allocate(Long.BYTES));
        }
    }

    /// Ends the thread and closes everything it watches.
    @Override
    public void close() {
        change(() -> closing = true);
        try {
            thread.join();
            letGo();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Only when the thread is gone: a thread that closes what others still write to would have them write to
    /// whatever got its number next.
    private synchronized void letGo() {
        if (!over) {
            over = true;
            closeWatched();
            poll.close();
            wake.close();
        }
    }
}
