package dev.cagewright.egress.inspect;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// An inspector of somebody else's, whose looks have a time. Each look is on a thread of its own; one that is not over
/// in time blocks its message as `slow` and is interrupted. While [#MOST_STUCK] are not over all the same, everything
/// is blocked as `stuck`, without asking. Safe for all threads.
final class PatientInspector implements Inspector {
    /// How long a look may take.
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /// Threads that may be lost to looks that do not end.
    static final int MOST_STUCK = 8;

    private static final long IDLE_SECONDS = 5;

    private final String name;
    private final Inspector inspector;
    private final Duration patience;
    private final AtomicInteger stuck = new AtomicInteger();
    private final ExecutorService threads;

    /// @param name of `inspector`, which is not asked for it again
    PatientInspector(String name, Inspector inspector, Duration patience) {
        this.name = name;
        this.inspector = inspector;
        this.patience = patience;
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("inspector-" + name + "-", 0).factory());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Look begin(Message message) {
        try {
            return new Timed(within(() -> inspector.begin(message)));
        } catch (OverdueException e) {
            return new Look() {
                @Override
                public Verdict head() {
                    return e.verdict();
                }
            };
        }
    }

    /// A look that is not over.
    private static final class OverdueException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String kind;

        OverdueException(String kind) {
            super(kind);
            this.kind = kind;
        }

        Verdict verdict() {
            return Verdict.block(kind, 0);
        }
    }

    private <T> T within(Callable<T> look) throws OverdueException {
        if (stuck.get() >= MOST_STUCK) {
            throw new OverdueException("stuck");
        }
        var isSettled = new AtomicBoolean();
        var task = new FutureTask<>(look);
        threads.execute(() -> {
            task.run();
            if (!isSettled.compareAndSet(false, true)) {
                stuck.decrementAndGet();
            }
        });
        try {
            return task.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw overdue(task, isSettled);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw overdue(task, isSettled);
        } catch (ExecutionException | CancellationException e) {
            throw new IllegalStateException("inspector " + name + " failed", e);
        }
    }

    /// Counted before it is interrupted, so that whoever it ends for finds it counted.
    @SuppressWarnings("Interruption") // the look is to end, and nobody else waits for it
    private OverdueException overdue(FutureTask<?> task, AtomicBoolean isSettled) {
        stuck.incrementAndGet();
        if (!isSettled.compareAndSet(false, true)) {
            stuck.decrementAndGet();
        }
        task.cancel(/* mayInterruptIfRunning= */ true);
        return new OverdueException("slow");
    }

    /// A look within the time; asks how much is clear together with the piece.
    private final class Timed implements Look {
        private final Look look;
        private long clearedTo = Long.MAX_VALUE;

        Timed(Look look) {
            this.look = look;
        }

        private Verdict timely(Callable<Verdict> question) {
            try {
                return within(question);
            } catch (OverdueException e) {
                return e.verdict();
            }
        }

        @Override
        public Verdict head() {
            return timely(look::head);
        }

        @Override
        public Verdict next(ByteBuffer piece) {
            record Seen(Verdict verdict, long clearedTo) {}
            clearedTo = 0;
            try {
                var seen = within(() -> {
                    var verdict = look.next(piece);
                    return new Seen(verdict, look.clearedTo());
                });
                clearedTo = seen.clearedTo();
                return seen.verdict();
            } catch (OverdueException e) {
                return e.verdict();
            }
        }

        @Override
        public Verdict end() {
            return timely(look::end);
        }

        @Override
        public Verdict trailers(List<Map.Entry<String, String>> fields) {
            return timely(() -> look.trailers(fields));
        }

        @Override
        public long clearedTo() {
            return clearedTo;
        }
    }
}
