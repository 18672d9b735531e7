package dev.cagewright.egress.websocket;

import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.inspect.Examination;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Message.Direction;
import dev.cagewright.egress.refusal.Abort;
import dev.cagewright.egress.scrutiny.HeldBody;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A WebSocket whose messages are looked at, both ways. What must not pass ends it: the cage is told by a close frame,
/// the origin sees its connection reset. For one event loop, the one that both channels are on.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class GuardedSocket {
    /// RFC 6455 section 7.4.1: a message against the policy.
    static final int AGAINST_THE_POLICY = 1008;

    /// RFC 6455 section 7.4.1.
    static final int PROTOCOL_ERROR = 1002;

    /// How long a client has for its own close frame.
    private static final long PATIENCE_MS = 2_000;

    /// More findings of one WebSocket say nothing more.
    private static final int MOST_FINDINGS = 32;

    private final Channel cage;
    private final Channel origin;
    private final Account account;
    private final FrameGate sent;
    private final FrameGate received;
    private final Set<String> known = new HashSet<>();
    private boolean isClosing;

    /// What is known of it elsewhere. Called on the event loop.
    public interface Account {
        /// Begins to look at a message that goes this way; empty if nobody does. The caller closes it.
        Optional<Examination> look(Direction direction);

        void found(List<Finding> findings);

        void ended(Traffic.End end);
    }

    private GuardedSocket(Channel cage, Channel origin, HeldBody.Threads threads, Account account) {
        this.cage = cage;
        this.origin = origin;
        this.account = account;
        this.sent = new FrameGate(threads, FrameWriter.TO_ORIGIN, new Way(Direction.REQUEST));
        this.received = new FrameGate(threads, FrameWriter.TO_CAGE, new Way(Direction.ANSWER));
    }

    /// Puts itself at the end of both pipelines, which carry bytes of frames from here on.
    public static void guard(Channel cage, Channel origin, HeldBody.Threads threads, Account account) {
        var socket = new GuardedSocket(cage, origin, threads, account);
        cage.pipeline().addLast(socket.sent);
        origin.pipeline().addLast(socket.received);
    }

    private final class Way implements FrameGate.Keeper {
        private final Direction direction;

        Way(Direction direction) {
            this.direction = direction;
        }

        @Override
        public Optional<Examination> look() {
            return account.look(direction);
        }

        @Override
        public void found(List<Finding> findings) {
            account.found(findings.stream().filter(GuardedSocket.this::isNew).toList());
        }

        @Override
        public void stopped(Finding finding) {
            close(new Traffic.End.Stopped(finding.kind()), AGAINST_THE_POLICY, finding.kind());
        }

        @Override
        public void broken(String why) {
            close(new Traffic.End.Truncated(why), PROTOCOL_ERROR, why);
        }

        @Override
        public void over() {
            finish();
        }
    }

    /// The head was looked at when it came, and is shown again with each message.
    private boolean isNew(Finding finding) {
        boolean isFirst = finding.place() != Finding.Place.HEAD
                && known.size() < MOST_FINDINGS
                && known.add(finding.severity() + finding.kind());
        return isFirst || finding.blocks();
    }

    /// What goes to the cage goes in whole frames, so that a close frame may stand anywhere.
    private void close(Traffic.End end, int code, String why) {
        if (isClosing) {
            return;
        }
        isClosing = true;
        sent.end();
        received.end();
        account.ended(end);
        cage.writeAndFlush(FrameWriter.TO_CAGE.close(code, why));
        cage.eventLoop().schedule(this::finish, PATIENCE_MS, TimeUnit.MILLISECONDS);
        cage.read();
    }

    private void finish() {
        if (isClosing) {
            Abort.reset(origin);
            cage.close();
        }
    }
}
