package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.GuestProgram.End;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.mcp.stdio.FrameReader;
import dev.cagewright.mcp.stdio.FrameReader.Read;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.receipt.Product;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// One run of a server, from its start to its end: three streams, whoever reads them, and whoever opens it.
final class GuestRun {
    /// signal(7)
    private static final int KILL = 9;

    private static final int TERM = 15;

    /// How much of its output may wait to be read, bytes.
    private static final long MOST_READ = 4L << 20;

    /// The longest line of its error output that is shown.
    private static final int MOST_SAID = 8 << 10;

    /// What it has to end by itself when its input does, and then when it is told to.
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final GuestProgram program;
    private final Ears ears;
    private final Patience patience;
    private final Host host;
    private final Conduit input = new Conduit(Interview.MOST_SENT);
    private final Conduit output = new Conduit(MOST_READ);
    private final Conduit errors = new Conduit(MOST_READ);
    private final Interview interview;
    private final Spoken spoken;
    private Optional<Standing> standing = Optional.empty();
    private Optional<String> brokenBy = Optional.empty();
    private boolean isOpen;
    private boolean isProbed;
    private boolean isOver;

    /// Whoever has it run.
    interface Host {
        /// It has opened.
        void opened(Guest.Serving serving);

        /// Nobody can ask it any more. Comes before those who wait are told.
        void gone(String why);
    }

    GuestRun(GuestProgram program, Ears ears, Patience patience, Host host) {
        this.program = program;
        this.ears = ears;
        this.patience = patience;
        this.host = host;
        this.spoken = new Spoken(ears);
        this.interview = new Interview(program.name(), input, spoken, new Oddities(ears::told, this::breakOff));
        spoken.answersBy(interview);
    }

    /// Runs it and waits for its end.
    ///
    /// @param isLeaving whether its end is wanted
    End toItsEnd(Opening.Era era, BooleanSupplier isLeaving) throws InterruptedException {
        var reader = Thread.ofVirtual().name("guest-output").start(this::readOutput);
        var listener = Thread.ofVirtual().name("guest-errors").start(this::readErrors);
        var usher = Thread.ofVirtual().name("guest-usher").start(() -> showOut(isLeaving));
        End end;
        try {
            var pipes = new Streams.Pipes(input.source(), output.sink(), errors.sink());
            end = program.run(pipes, stands -> begun(stands, era));
        } finally {
            over();
            output.end();
            errors.end();
            usher.join();
        }
        reader.join();
        listener.join();
        var why = why(end);
        host.gone(why);
        interview.end(why + " before it answered");
        return new End(why, end.hope());
    }

    private synchronized String why(End end) {
        return brokenBy.orElse(end.why());
    }

    private synchronized void over() {
        isOver = true;
        notifyAll();
    }

    private void begun(Standing stands, Opening.Era era) {
        synchronized (this) {
            standing = Optional.of(stands);
            brokenBy.ifPresent(_ -> stands.signal().accept(KILL));
        }
        spoken.of(stands);
        Thread.ofVirtual().name("guest-opening").start(() -> open(stands, era));
    }

    private void open(Standing stands, Opening.Era era) {
        try {
            var abilities = ears.abilities(stands);
            synchronized (this) {
                isProbed = era == Opening.Era.UNKNOWN;
            }
            var agreed = new Opening(interview, Self.INFO, abilities, patience).open(era);
            var serving = agreed.version().isStateless()
                    ? new StatelessServing(agreed, stands, interview, patience, ears)
                    : new OpenedServing(agreed, stands, interview, patience);
            synchronized (this) {
                isOpen = true;
            }
            host.opened(serving);
            if (serving instanceof StatelessServing stateless) {
                stateless.listen();
            }
        } catch (RpcException e) {
            breakOff("could not be opened: " + e.getMessage());
        } catch (RuntimeException e) {
            breakOff("could not be opened: internal error: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Did it open?
    synchronized boolean hasOpened() {
        return isOpen;
    }

    /// Did it end after a question that servers of before do not know, and before any answer?
    synchronized boolean diedOfProbe() {
        return isProbed && !isOpen && brokenBy.isEmpty();
    }

    /// Ends it for sure.
    ///
    /// @param why a clause that goes on behind its name
    private void breakOff(String why) {
        Optional<Standing> stands;
        synchronized (this) {
            if (brokenBy.isPresent() || isOver) {
                return;
            }
            brokenBy = Optional.of(why);
            stands = standing;
        }
        host.gone(why);
        interview.end(why);
        output.breakOff();
        stands.ifPresent(running -> running.signal().accept(KILL));
    }

    /// Waits until its end is wanted or there; then its input ends, and what does not go by itself is made to.
    private void showOut(BooleanSupplier isLeaving) {
        try {
            boolean isWanted = true;
            while (isWanted) {
                isWanted = !isLeaving.getAsBoolean() && !isOverWithin(Duration.ofMillis(100));
            }
            input.end();
            for (int signal : new int[] {TERM, KILL}) {
                if (isOverWithin(FAREWELL)) {
                    return;
                }
                standingNow().ifPresent(running -> running.signal().accept(signal));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<Standing> standingNow() {
        return standing;
    }

    private synchronized boolean isOverWithin(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        long left = time.toMillis();
        while (!isOver && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        return isOver;
    }

    private void readOutput() {
        var frames = new FrameReader(output.source(), Interview.MAX_FRAME);
        try {
            while (true) {
                switch (frames.next()) {
                    case Read.Line line -> interview.take(line.bytes());
                    case Read.TooLong _ -> {
                        breakOff("wrote a message of more than " + Interview.MAX_FRAME + " bytes");
                        return;
                    }
                    case Read.End _ -> {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            breakOff("could not be read: " + e.getMessage());
        }
    }

    private void readErrors() {
        try (InputStream source = errors.source()) {
            var frames = new FrameReader(source, MOST_SAID);
            while (true) {
                switch (frames.next()) {
                    case Read.Line line -> ears.said(new String(line.bytes(), StandardCharsets.UTF_8));
                    case Read.TooLong _ -> ears.said("(a line of more than " + MOST_SAID + " bytes)");
                    case Read.End _ -> {
                        errors.breakOff();
                        return;
                    }
                }
            }
        } catch (IOException _) {
            errors.breakOff();
        }
    }

    /// Who is asked to open.
    static final class Self {
        static final JsonObject INFO = Json.object()
                .put("name", "cagewright")
                .put("version", Product.own().version())
                .build();

        private Self() {}
    }
}
