package dev.cagewright.egress.underway;

import dev.cagewright.egress.Chronicle;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Has things written down without letting a connection wait for the disk. What cannot be written is counted;
/// nothing new is let through by then, because the same log takes no intent either. Safe for all threads.
public final class Scribe implements AutoCloseable {
    private final ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor();
    private final Outstanding outstanding = new Outstanding();
    private final AtomicLong unrecorded = new AtomicLong();

    /// With nothing written.
    public Scribe() {}

    /// Something to be written down.
    @FunctionalInterface
    public interface Entry {
        void write() throws IOException;
    }

    public void record(Entry entry) {
        writing.execute(() -> {
            try {
                entry.write();
            } catch (IOException _) {
                unrecorded.incrementAndGet();
            }
        });
    }

    /// Has something written by whoever does not wait.
    public void recordSoon(Consumer<Chronicle.Kept> writer) {
        outstanding.begun();
        writer.accept(new Chronicle.Kept() {
            @Override
            public void kept() {
                outstanding.ended();
            }

            @Override
            public void lost() {
                unrecorded.incrementAndGet();
                outstanding.ended();
            }
        });
    }

    /// How many ends could not be written.
    public long unrecorded() {
        return unrecorded.get();
    }

    /// Waits until everything is written.
    @Override
    public void close() {
        writing.close();
        outstanding.awaitNone();
    }
}
