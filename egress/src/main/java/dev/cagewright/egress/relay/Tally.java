package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.http.HeadSize;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.underway.Passage;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.grant.Granted;
import io.netty.handler.codec.http.HttpContent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Counts one allowed request or connection from its warrant to its end, which is put on record once.
/// Counting is for one event loop; it may be revoked by any thread.
final class Tally implements Passage {
    private final Arrival arrival;
    private final Warrant warrant;
    private final Budgets.Allowance allowance;
    private final Action action;
    private final long started = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private OptionalInt status = OptionalInt.empty();
    private Optional<String> address = Optional.empty();
    private final CompletableFuture<Decision.Deny> revoked = new CompletableFuture<>();
    private Transcript transcript = Transcript.NONE;
    private long sent;
    private long received;
    private final List<Finding> findings = new ArrayList<>();

    /// Spends `warrant`: what it allows happens from now on.
    Tally(Arrival arrival, Warrant warrant, Budgets.Allowance allowance) {
        this.arrival = arrival;
        this.allowance = allowance;
        this.warrant = warrant;
        this.action = warrant.spend();
        arrival.desk().underway().begun(this);
    }

    @Override
    public Action action() {
        return action;
    }

    String decision() {
        return warrant.id().value();
    }

    /// Is it allowed because of a grant, and not by the policy alone?
    boolean isByGrant() {
        return Granted.isAmong(warrant.allowed().because());
    }

    /// What is kept of it ends with it.
    void keptIn(Transcript kept) {
        transcript = kept;
        kept.allowed(decision());
    }

    /// Says what ends it when it is revoked; called on a thread of the caller's own. It may be revoked already.
    void onRevoked(Consumer<Decision.Deny> stop) {
        var _ = revoked.thenAccept(stop);
    }

    @Override
    public void revoke(Decision.Deny why) {
        revoked.complete(isByGrant() ? Granted.over(warrant.allowed(), why) : why);
    }

    void reached(String dialled) {
        address = Optional.of(dialled);
    }

    void answered(int code) {
        status = OptionalInt.of(code);
    }

    /// Takes bytes of a body, or of the connection, from what may pass.
    ///
    /// @return empty if they may, and then they are counted; otherwise what is used up
    Optional<Decision.Deny> body(Budgets.Way way, long bytes) {
        var exhausted = allowance.take(way, bytes);
        if (exhausted.isEmpty()) {
            switch (way) {
                case SENT -> sent += bytes;
                case RECEIVED -> received += bytes;
            }
        }
        return exhausted;
    }

    /// Takes what is no body, as a head: it draws on the budget, and the outcome does not tell it.
    Optional<Decision.Deny> beside(Budgets.Way way, long bytes) {
        return allowance.take(way, bytes);
    }

    /// Takes a piece of a body with the trailers behind it.
    Optional<Decision.Deny> piece(Budgets.Way way, HttpContent content) {
        return beside(way, HeadSize.ofTrailers(content))
                .or(() -> body(way, content.content().readableBytes()));
    }

    /// Puts on record what an inspector saw.
    void found(List<Finding> seen) {
        for (var finding : seen) {
            findings.add(finding);
            if (!finding.isRoutine()) {
                arrival.desk().scribe().record(() -> arrival.cage().chronicle().found(warrant.id(), finding));
            }
        }
    }

    /// Puts on record how it ended; the first end counts.
    void end(Traffic.End end) {
        if (ended.compareAndSet(false, true)) {
            arrival.desk().underway().ended(this);
            var duration = Duration.ofNanos(System.nanoTime() - started);
            var traffic = new Traffic(status, sent, received, duration, address, findings, end);
            transcript.ended(traffic);
            var chronicle = arrival.cage().chronicle();
            arrival.desk().scribe().recordSoon(kept -> chronicle.ended(warrant.id(), action, traffic, kept));
        }
    }
}
