package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.Polling;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/// One thread that reads what all helpers of a runtime say. It alone closes the descriptors it watches, so
/// none is closed, and its number taken by another file, while it waits for it.
final class ControlLoop implements AutoCloseable {
    /// Told on the loop's thread; must not block. A descriptor at its end is ready until it is retired.
    interface Listener {
        void ready();
    }

    private final Map<Descriptor, Listener> watched = new HashMap<>();
    private final ConcurrentLinkedQueue<Runnable> changes = new ConcurrentLinkedQueue<>();
    private final Descriptor wake;
    private final Thread thread;
    private boolean closing;
    private boolean over;

    ControlLoop() throws KernelException {
        wake = new Descriptor(FileControl.eventCounter());
        thread = Thread.ofPlatform().daemon().name("cagewright-control").start(this::run);
    }

    /// Watches `descriptor`, which belongs to the loop from now on.
    void watch(Descriptor descriptor, Listener listener) {
        change(() -> watched.put(descriptor, listener));
    }

    /// Stops watching `descriptor` and closes it.
    void retire(Descriptor descriptor) {
        change(() -> {
            watched.remove(descriptor);
            descriptor.close();
        });
    }

    private synchronized void change(Runnable change) {
        if (over) {
            change.run();
            return;
        }
        changes.add(change);
        poke();
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
            waitOnce();
        }
        watched.keySet().forEach(Descriptor::close);
    }

    private void waitOnce() {
        var descriptors = new ArrayList<>(watched.keySet());
        var numbers = new ArrayList<Integer>(List.of(wake.number()));
        descriptors.forEach(descriptor -> numbers.add(descriptor.number()));
        try {
            var ready = Polling.readable(numbers, closing ? 0 : Polling.FOREVER);
            if (ready[0]) {
                drainWake();
            }
            for (int i = 0; i < descriptors.size(); i++) {
                var listener = watched.get(descriptors.get(i));
                if (ready[i + 1] && listener != null) {
                    listener.ready();
                }
            }
        } catch (KernelException e) {
            throw new IllegalStateException(e);
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
            wake.close();
        }
    }
}
