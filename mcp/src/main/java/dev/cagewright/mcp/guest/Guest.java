package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.GuestProgram.Hope;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A server that is there as long as this is open: run, opened, and run again when it ends, a little later each time.
/// One that ends again and again is given up for a while, and whoever asks is told so at once. Safe for all threads.
public final class Guest implements AutoCloseable {
    /// So many runs that come to nothing in a row are enough.
    static final int MOST_FAILURES = 5;

    /// A run that lasts so long came to something.
    private static final Duration LASTING = Duration.ofMinutes(1);

    /// How long one that was given up is left alone.
    static final Duration REST = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final GuestProgram program;
    private final Ears ears;
    private final Patience patience;
    private final Thread life;
    private State state = new State.Starting();
    private Opening.Era era = Opening.Era.UNKNOWN;
    private int failures;
    private boolean isClosed;

    /// Where it stands.
    private sealed interface State {
        /// It runs and has not opened yet.
        record Starting() implements State {}

        record Open(Serving serving) implements State {}

        /// It ended and will be run again.
        record Pausing(String why) implements State {}

        /// Nobody runs it before it has rested.
        record GivenUp(String why, long since) implements State {}
    }

    /// Begins at once.
    public Guest(GuestProgram program, Ears ears, Patience patience) {
        this.program = program;
        this.ears = ears;
        this.patience = patience;
        this.life = Thread.ofVirtual().name("guest-" + program.name()).unstarted(this::live);
        life.start();
    }

    public String name() {
        return program.name();
    }

    /// A server that has opened, for as long as that run of it lasts.
    public interface Serving {
        Agreed agreed();

        /// Its gate judges what the server is asked.
        Standing standing();

        /// Asks it, and waits for the answer, which is in the form of 2025-11-25 whatever the server speaks.
        ///
        /// @param params without what only the protocol needs
        /// @param caller for whom; answers what the server wants to know meanwhile
        /// @throws RpcException if the answer is an error, or none comes
        JsonObject ask(String method, JsonObject params, Caller caller) throws RpcException, InterruptedException;
    }

    /// The server as soon as it has opened.
    ///
    /// @throws RpcException if it does not, with why
    public Serving serving() throws RpcException, InterruptedException {
        return serving(patience.opening());
    }

    /// The same for those with a patience of their own.
    public synchronized Serving serving(Duration within) throws RpcException, InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        while (true) {
            switch (state) {
                case State.Open(Serving serving) -> {
                    return serving;
                }
                case State.GivenUp(String why, long since)
                when !isRested(since) ->
                    throw failure(why + "; it is run again when it is asked in "
                            + (REST.toSeconds()
                                    - Duration.ofNanos(System.nanoTime() - since)
                                            .toSeconds()) + " s");
                case State.GivenUp _ -> {
                    state = new State.Starting();
                    notifyAll();
                }
                case State.Starting _, State.Pausing _ -> {
                    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (left <= 0 || isClosed) {
                        throw failure(isClosed ? "is over" : lateness(within));
                    }
                    wait(left);
                }
            }
        }
    }

    /// The server if it has opened already.
    public synchronized Optional<Serving> servingNow() {
        return state instanceof State.Open(Serving serving) ? Optional.of(serving) : Optional.empty();
    }

    private String lateness(Duration time) {
        var within = " within " + time.toSeconds() + " s";
        return state instanceof State.Pausing(String why)
                ? why + ", and was not there again" + within
                : "did not open" + within;
    }

    private RpcException failure(String why) {
        return new RpcException(RpcError.INTERNAL_ERROR, "the MCP server " + name() + " " + why);
    }

    private static boolean isRested(long since) {
        return System.nanoTime() - since >= REST.toNanos();
    }

    private void live() {
        try {
            while (begins()) {
                long begun = System.nanoTime();
                var run = new GuestRun(program, ears, patience, new Host());
                var end = run.toItsEnd(eraNow(), this::isOver);
                ended(end, run, System.nanoTime() - begun);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Opening.Era eraNow() {
        return era;
    }

    private synchronized boolean isOver() {
        return isClosed;
    }

    /// Waits until it is time to run it.
    ///
    /// @return no, if it never is again
    private synchronized boolean begins() throws InterruptedException {
        while (!isClosed && state instanceof State.GivenUp) {
            wait();
        }
        if (!isClosed && state instanceof State.Pausing) {
            long end = System.nanoTime() + FIRST_PAUSE.toNanos() * (1L << failures);
            long left = FIRST_PAUSE.toMillis();
            while (!isClosed && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        }
        return !isClosed;
    }

    /// For one run of it.
    private final class Host implements GuestRun.Host {
        private boolean isGone;

        @Override
        public void opened(Serving serving) {
            synchronized (Guest.this) {
                if (isGone) {
                    return;
                }
                state = new State.Open(serving);
                Guest.this.notifyAll();
            }
            ears.opened(serving);
        }

        @Override
        public void gone(String why) {
            synchronized (Guest.this) {
                isGone = true;
                state = new State.Pausing(why);
            }
        }
    }

    private void ended(GuestProgram.End end, GuestRun run, long nanos) {
        boolean isAgain;
        synchronized (this) {
            if (run.diedOfProbe()) {
                era = Opening.Era.OPENED;
            }
            failures = run.hasOpened() && nanos >= LASTING.toNanos() ? 1 : failures + 1;
            isAgain = end.hope() == Hope.AGAIN && failures < MOST_FAILURES;
            state = isAgain ? new State.Pausing(end.why()) : new State.GivenUp(end.why(), System.nanoTime());
            failures = isAgain ? failures : 0;
            notifyAll();
            if (isClosed) {
                return;
            }
        }
        ears.told(end.why() + (isAgain ? "; it is run again" : "; it is not run again before somebody asks for it"));
    }

    /// Ends it. When this returns nothing of it lives.
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (true) {
            try {
                life.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
