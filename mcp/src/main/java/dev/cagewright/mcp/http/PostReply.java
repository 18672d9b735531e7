package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Outbox;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The answer to one POST: a single JSON text, or a stream of events where something is told or asked before it, or it
/// takes long. Safe for all threads; [#run] is for the connection's own.
final class PostReply implements Outbox {
    /// How long an answer may take before a stream begins, so that a client sees that something is there.
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /// How much waits to be told, bytes.
    private static final long MOST_TOLD = 1L << 20;

    private static final int OK = 200;

    private final Accepted accepted;
    private final Status status;
    private final Map<String, String> fields;
    private final LinkedBlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private long waiting;

    /// @param status which of HTTP an answer has
    /// @param fields of the answer's head
    PostReply(Accepted accepted, Status status, Map<String, String> fields) {
        this.accepted = accepted;
        this.status = status;
        this.fields = fields;
    }

    /// Something to be sent.
    private sealed interface Piece {
        /// Before the answer.
        record Event(Frame frame) implements Piece {}

        /// The last.
        ///
        /// @param status of HTTP, unless a stream has begun
        record Last(Frame frame, int status) implements Piece {}

        /// There is no answer.
        record Nothing() implements Piece {}
    }

    @Override
    public void answer(Frame frame) {
        pieces.add(new Piece.Last(frame, status.answered(frame)));
    }

    @Override
    public void refuse(Frame frame) {
        pieces.add(new Piece.Last(frame, status.refused(frame)));
    }

    @Override
    public boolean canAsk() {
        return accepted.isStream();
    }

    @Override
    public void noAnswer() {
        pieces.add(new Piece.Nothing());
    }

    @Override
    public void ask(Frame frame) {
        if (canAsk()) {
            pieces.add(new Piece.Event(frame));
        }
    }

    @Override
    public void tell(Frame frame) {
        synchronized (pieces) {
            if (!canAsk() || waiting + frame.bytes().length > MOST_TOLD) {
                return;
            }
            waiting += frame.bytes().length;
        }
        pieces.add(new Piece.Event(frame));
    }

    private void sent(Frame frame) {
        synchronized (pieces) {
            waiting = Math.max(0, waiting - frame.bytes().length);
        }
    }

    /// Sends until the answer is sent.
    ///
    /// @throws IOException if the client is gone
    void run(Reply reply) throws IOException, InterruptedException {
        var first = pieces.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        while (first == null && !accepted.isStream()) {
            first = pieces.take();
        }
        switch (first) {
            case Piece.Last(Frame frame, int status)
            when accepted.isJson() || status != OK ->
                reply.whole(new HatchAnswer(status, Accepted.JSON, ByteString.copyOf(frame.bytes()), fields));
            case Piece.Nothing() -> reply.whole(new HatchAnswer(204, "", ByteString.of("")));
            case null, default -> stream(EventStream.begin(reply, fields), first);
        }
    }

    private void stream(EventStream stream, @Nullable Piece first) throws IOException, InterruptedException {
        var piece = first;
        while (true) {
            switch (piece) {
                case null -> stream.breathe();
                case Piece.Event(Frame frame) -> {
                    sent(frame);
                    stream.event(frame);
                }
                case Piece.Last(Frame frame, int _) -> {
                    stream.event(frame);
                    return;
                }
                case Piece.Nothing() -> {
                    return;
                }
            }
            piece = pieces.poll(EventStream.BREATH.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
