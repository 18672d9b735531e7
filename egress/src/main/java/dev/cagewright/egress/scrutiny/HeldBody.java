package dev.cagewright.egress.scrutiny;

import dev.cagewright.egress.inspect.Examination;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Sighting;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/// One body on its way past the inspectors. A piece is with them at a time: a quick one on the event loop, another on a
/// thread that may take a while, from where it comes back. What is not clear yet is held, at most [#MOST_HELD] bytes
/// and a piece. For one event loop. Owns every piece that it was given and has not handed on.
public final class HeldBody {
    /// More than this is never held: whoever makes so little of so much is not let through.
    static final int MOST_HELD = 256 * 1024;

    private final Threads threads;
    private final Examination examination;
    private final Way way;
    private final Deque<HttpContent> waiting = new ArrayDeque<>();
    private final Deque<HttpContent> held = new ArrayDeque<>();
    private Pass pass;
    private boolean isBusy;
    private boolean isWorking;
    private boolean isOver;
    private long heldBytes;
    private long released;

    /// Where things are done.
    ///
    /// @param loop everything but looking
    /// @param looking may take a while
    public record Threads(EventLoop loop, Executor looking) {}

    /// How the body goes on.
    public enum Pass {
        /// Not before all of it is clear and [#passOn] was called.
        WHOLE_FIRST,
        AS_IT_IS_CLEARED
    }

    /// What becomes of what was looked at. Called on the event loop.
    public interface Way {
        /// Something was seen; what blocks is told again by [#stopped].
        void found(List<Finding> findings);

        /// It may go on. The receiver owns it.
        void cleared(HttpContent content);

        /// The whole body is clear, and waits for [HeldBody#passOn].
        void wholeCleared();

        /// Nothing more of it may go on.
        void stopped(Finding finding);

        /// There is use for more of the body.
        void wantsMore();
    }

    /// A body of which nothing has come yet.
    ///
    /// @param examination whose head was looked at; closed by this object
    public HeldBody(Threads threads, Examination examination, Pass pass, Way way) {
        this.threads = threads;
        this.examination = examination;
        this.pass = pass;
        this.way = way;
    }

    /// Takes the next piece; it comes back by the [Way], or never.
    public void next(HttpContent content) {
        if (isOver) {
            content.release();
        } else {
            waiting.addLast(content);
            work();
        }
    }

    /// A loop, so that quick pieces do not make the stack deeper.
    private void work() {
        if (isWorking) {
            return;
        }
        isWorking = true;
        try {
            while (!isBusy && !isOver && !waiting.isEmpty()) {
                isBusy = true;
                look(waiting.removeFirst());
            }
        } finally {
            isWorking = false;
        }
    }

    private void look(HttpContent content) {
        var bytes = ByteBufUtil.getBytes(content.content());
        if (trailers(content).isEmpty() && examination.isQuick(bytes.length)) {
            looked(content, seen(content, bytes));
            return;
        }
        try {
            threads.looking().execute(() -> {
                var seen = seen(content, bytes);
                threads.loop().execute(() -> looked(content, seen));
            });
        } catch (RejectedExecutionException _) {
            isBusy = false;
            content.release();
            close();
        }
    }

    private static List<Map.Entry<String, String>> trailers(HttpContent piece) {
        return piece instanceof LastHttpContent last ? last.trailingHeaders().entries() : List.of();
    }

    private Seen seen(HttpContent piece, byte[] bytes) {
        return Seen.safely(() -> piece instanceof LastHttpContent
                ? Seen.last(examination, bytes, trailers(piece))
                : Seen.next(examination, bytes));
    }

    /// What came of a piece.
    ///
    /// @param clearedTo how much of the body may go on
    private record Seen(List<Finding> findings, long clearedTo) {
        /// What cannot be looked at lets nothing through.
        static Seen safely(Supplier<Seen> looking) {
            try {
                return looking.get();
            } catch (RuntimeException | Error _) {
                return new Seen(List.of(failure(Finding.Place.BODY)), 0);
            }
        }

        static Seen next(Examination looking, byte[] bytes) {
            var findings = looking.next(bytes, 0, bytes.length);
            return new Seen(findings, looking.clearedTo());
        }

        static Seen last(Examination looking, byte[] bytes, List<Map.Entry<String, String>> trailers) {
            var findings = new ArrayList<>(looking.next(bytes, 0, bytes.length));
            if (findings.stream().noneMatch(Finding::blocks)) {
                findings.addAll(looking.end());
            }
            if (!trailers.isEmpty() && findings.stream().noneMatch(Finding::blocks)) {
                findings.addAll(looking.trailers(trailers));
            }
            return new Seen(findings, Long.MAX_VALUE);
        }
    }

    /// An inspector that failed where none may.
    public static Finding failure(Finding.Place place) {
        return new Finding(Sighting.Severity.BLOCK, "body", "body.failed", place, 0);
    }

    private void looked(HttpContent content, Seen seen) {
        isBusy = false;
        if (isOver) {
            content.release();
            examination.close();
            return;
        }
        held.addLast(content);
        heldBytes += content.content().readableBytes();
        way.found(seen.findings());
        var stopping = seen.findings().stream().filter(Finding::blocks).findFirst();
        if (stopping.isPresent()) {
            stop(stopping.get());
        } else if (pass == Pass.AS_IT_IS_CLEARED) {
            goOn(seen.clearedTo());
        } else if (content instanceof LastHttpContent) {
            way.wholeCleared();
        } else {
            nextPiece();
        }
    }

    private void stop(Finding finding) {
        close();
        way.stopped(finding);
    }

    private void goOn(long clearedTo) {
        boolean hasGone = release(clearedTo);
        if (heldBytes > MOST_HELD) {
            stop(new Finding(Sighting.Severity.BLOCK, "body", "body.held", Finding.Place.BODY, released));
        } else if (!waiting.isEmpty() || !hasGone) {
            nextPiece();
        }
    }

    private void nextPiece() {
        if (waiting.isEmpty()) {
            way.wantsMore();
        } else {
            work();
        }
    }

    /// Lets go what is clear; says whether anything has gone on.
    private boolean release(long clearedTo) {
        boolean hasGone = false;
        while (!held.isEmpty() && !isOver) {
            int length = held.getFirst().content().readableBytes();
            long free = clearedTo - released;
            if (free < length) {
                if (free > 0) {
                    var piece = held.getFirst().content().readRetainedSlice((int) free);
                    passed((int) free);
                    way.cleared(new DefaultHttpContent(piece));
                    hasGone = true;
                }
                break;
            }
            var whole = held.removeFirst();
            passed(length);
            way.cleared(whole);
            hasGone = true;
        }
        return hasGone;
    }

    private void passed(int bytes) {
        released += bytes;
        heldBytes -= bytes;
    }

    /// There is somebody to send the whole body to.
    public void passOn() {
        pass = Pass.AS_IT_IS_CLEARED;
        release(Long.MAX_VALUE);
    }

    /// Is a piece with the inspectors, or waiting for them?
    public boolean isBusy() {
        return isBusy || !waiting.isEmpty();
    }

    /// Has everything that came gone on?
    public boolean isDrained() {
        return !isBusy() && held.isEmpty();
    }

    /// Nothing goes on any more.
    public void close() {
        isOver = true;
        waiting.forEach(HttpContent::release);
        waiting.clear();
        held.forEach(HttpContent::release);
        held.clear();
        if (!isBusy) {
            examination.close();
        }
    }
}
