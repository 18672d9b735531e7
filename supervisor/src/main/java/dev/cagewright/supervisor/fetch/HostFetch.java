package dev.cagewright.supervisor.fetch;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.net.HostDoor;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.token.TokenWatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/// Makes one request under a session's terms and hands the answer on. The gateway judges and records it as one of a
/// cage's, looks its host up, verifies it, counts it, looks into it. For one thread.
public final class HostFetch {
    /// The longest refusal of the gateway's that is read.
    private static final int LONGEST_REFUSAL = 64 * 1024;

    private final Session session;
    private final HostClient.Limits limits;
    private final Doors doors;
    private final AtomicReference<Optional<DecisionId>> decided = new AtomicReference<>(Optional.empty());

    /// For a session without a cage.
    ///
    /// @param secrets whose decoys the request may have; the gateway puts the values in
    public HostFetch(Session session, HostClient.Limits limits, RunSecrets secrets) {
        this(session, limits, (at, hearer) -> session.doorHere(at, secrets, hearer));
    }

    /// For a session whose gateway is open already.
    ///
    /// @param doors opens one of its doors, as a standing cage does
    public HostFetch(Session session, HostClient.Limits limits, Doors doors) {
        this.session = session;
        this.limits = limits;
        this.doors = doors;
    }

    private void hear(DecisionId id, Action what) {
        if (what instanceof Action.HttpRequest) {
            decided.compareAndSet(Optional.empty(), Optional.of(id));
        }
    }

    /// Where a gateway is met.
    @FunctionalInterface
    public interface Doors {
        /// Opens a door; the caller closes it.
        ///
        /// @param hearer is told of each decision at that door, and does not wait
        /// @throws ConfinementException if it cannot be opened
        HostDoor open(LocalDoor at, BiConsumer<DecisionId, Action> hearer)
                throws ConfinementException, InterruptedException;
    }

    /// How it ended.
    ///
    /// @param refusal what the gateway said instead of an origin; empty when an origin answered
    /// @param decision about the request; empty where nothing was decided
    public record Ended(HostAnswer answer, Optional<Problem> refusal, Optional<DecisionId> decision) {}

    /// Makes it.
    ///
    /// @param action what `request` is to a policy
    /// @param out where an origin's body goes as it comes
    /// @throws DeniedException if it is denied before anything is opened; on record
    /// @throws ConfinementException if the gateway cannot be had
    /// @throws IOException if there is no answer, or `out` takes it not
    public Ended fetch(Action.HttpRequest action, HostRequest request, OutputStream out)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        if (session.authority().isEmpty()) {
            session.gate().pass(action).spend();
            throw new ConfinementException(
                    "net", "fetch", "the policy opens no network", "name the host in net.hosts of the policy");
        }
        var folder = Files.createTempDirectory("cagewright-");
        try {
            return fetch(action, new LocalDoor(folder.resolve("door"), action.host(), action.port()), request, out);
        } finally {
            Files.deleteIfExists(folder.resolve("door"));
            Files.deleteIfExists(folder);
        }
    }

    /// What the gateway would refuse is denied here, once the door and what belongs to it (a capture) are there.
    private Ended fetch(Action.HttpRequest action, LocalDoor at, HostRequest request, OutputStream out)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var sorted = new Sorted(out);
        HostAnswer answer;
        decided.set(Optional.empty());
        try (var door = doors.open(at, this::hear);
                var _ = TokenWatch.begin(session.terms().token(), _ -> door.revise())) {
            if (session.gate().judge(action) instanceof Decision.Deny) {
                session.gate().pass(action).spend();
            }
            answer = new HostClient(at, session.authority().orElseThrow(), limitsOf(action)).exchange(request, sorted);
        }
        var refusal = sorted.refusal();
        if (refusal.isEmpty()) {
            sorted.release();
        }
        return new Ended(answer, refusal, decided.get());
    }

    /// A person's time to answer is not the host's.
    private HostClient.Limits limitsOf(Action action) {
        return session.gate().judge(action) instanceof Decision.Ask ask
                ? new HostClient.Limits(limits.bytes(), limits.patience().plus(ask.patience()))
                : limits;
    }

    /// Keeps what may be a refusal apart from what an origin says.
    private static final class Sorted implements HostClient.Taker {
        private final OutputStream out;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();

        Sorted(OutputStream out) {
            this.out = out;
        }

        @Override
        public OutputStream begin(HostAnswer.Head head) {
            return Problem.isTold(head) ? new Bounded(held, out) : out;
        }

        Optional<Problem> refusal() {
            return Problem.read(held.toByteArray());
        }

        void release() throws IOException {
            held.writeTo(out);
        }
    }

    /// More than a refusal can be goes on to where an origin's words go.
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream held;
        private final OutputStream out;

        Bounded(ByteArrayOutputStream held, OutputStream out) {
            this.held = held;
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (held.size() + length <= LONGEST_REFUSAL) {
                held.write(bytes, from, length);
                return;
            }
            held.writeTo(out);
            held.reset();
            out.write(bytes, from, length);
        }
    }
}
