package dev.cagewright.mcp.stdio;

import dev.cagewright.mcp.door.Dialogue;
import dev.cagewright.mcp.door.Faults;
import dev.cagewright.mcp.door.Frame;
import dev.cagewright.mcp.door.Reception;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.Message;
import dev.cagewright.mcp.rpc.MessageReader;
import dev.cagewright.mcp.rpc.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Serves one client over a pair of streams, as the stdio transport of every version has it: one message a line, UTF-8
/// whatever the locale. A line that is no message is answered by an error, and the next one is read.
public final class StdioDoor {
    /// The longest line of a client, bytes. A longer one is answered by an error and read past.
    public static final int MAX_FRAME = 4 << 20;

    /// How long what is under way may take once the client has closed its side. Whoever pipes a few requests in gets
    /// their answers; what takes longer is cancelled.
    public static final Duration GRACE = Duration.ofSeconds(3);

    /// How long a client may take nothing while answers wait.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private StdioDoor() {}

    /// Serves until the client has closed its side, is gone, or reads nothing any more. Neither stream is closed; where
    /// the client is gone a thread may go on to wait for `in`.
    ///
    /// @param offer what is behind the door
    /// @param in from the client, UTF-8; need not be buffered
    /// @param out to the client; each message is flushed
    public static void serve(Offer offer, InputStream in, OutputStream out) {
        serve(new Terms(offer, Faults.LOGGED, PATIENCE), in, out);
    }

    /// How a client is served.
    ///
    /// @param faults where goes what went wrong here
    /// @param patience how long a client may take nothing while answers wait
    record Terms(Offer offer, Faults faults, Duration patience) {}

    static void serve(Terms terms, InputStream in, OutputStream out) {
        var ended = new CountDownLatch(1);
        try (var reception = new Reception(terms.offer(), terms.faults());
                var outbox = new LineOutbox(out, terms.patience(), ended::countDown);
                var dialogue = new Dialogue(reception, outbox)) {
            Thread.ofPlatform().daemon().name("mcp-reader").start(() -> {
                try {
                    read(new FrameReader(in, MAX_FRAME), dialogue, outbox);
                    dialogue.awaitQuiet(GRACE);
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                } finally {
                    ended.countDown();
                }
            });
            ended.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void read(FrameReader frames, Dialogue dialogue, LineOutbox outbox) {
        try {
            while (true) {
                switch (frames.next()) {
                    case FrameReader.Read.Line line ->
                        dialogue.receive(MessageReader.read(line.bytes(), MAX_FRAME), outbox);
                    case FrameReader.Read.TooLong _ -> outbox.answer(Frame.of(tooLong()));
                    case FrameReader.Read.End _ -> {
                        return;
                    }
                }
            }
        } catch (IOException _) {
            return; // the client is gone
        }
    }

    private static Message.Failure tooLong() {
        return new Message.Failure(
                Optional.empty(),
                new RpcError(
                        RpcError.PARSE_ERROR,
                        "the message has more than %d bytes and is not read: send less at once".formatted(MAX_FRAME)));
    }
}
