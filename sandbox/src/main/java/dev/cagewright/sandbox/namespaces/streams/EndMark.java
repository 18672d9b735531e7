package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/// "The program has ended", as a descriptor that a poll can wait for. Closed by its last user.
final class EndMark implements AutoCloseable {
    private final Descriptor event;
    private final AtomicInteger users = new AtomicInteger(1);

    private EndMark(Descriptor event) {
        this.event = event;
    }

    static EndMark open() throws KernelException {
        return new EndMark(new Descriptor(FileControl.eventCounter()));
    }

    EndMark share() {
        users.incrementAndGet();
        return this;
    }

    int number() {
        return event.number();
    }

    /// Sets the mark, for good, and gives up the first share.
    void set() {
        try (var arena = Arena.ofConfined()) {
            FileControl.write(event.number(), arena.allocateFrom(ValueLayout.JAVA_LONG, 1L));
        } catch (KernelException e) {
            throw new IllegalStateException(e);
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        if (users.decrementAndGet() == 0) {
            event.close();
        }
    }
}
