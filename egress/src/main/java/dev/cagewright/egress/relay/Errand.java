package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.credential.Handover;
import dev.cagewright.egress.credential.Misuse;
import dev.cagewright.egress.credential.Request;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.egress.credential.Swap;
import dev.cagewright.egress.credential.Uses;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Sighting;
import dev.cagewright.egress.login.TokenAnswer;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.HttpPool.Lease;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.grant.Granted;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What one exchange does with the session's secrets: which it uses is judged with the request, on record with its
/// outcome, and kept from whoever may not have it. For one event loop, but for what says otherwise.
@SuppressWarnings("FutureReturnValueIgnored") // the exchange hears of it
final class Errand {
    /// What is granted for a time is granted without the session's secrets.
    private static final Decision.Deny NO_SECRET = new Decision.Deny(
            new RuleId("grant:no-secret"),
            DenyCode.FORBIDDEN,
            "a grant allows this request, and no secret goes with what is only granted");

    private final Conversation conversation;
    private final Ending ending;
    private final Handover handover;
    private final List<Tally> uses = new ArrayList<>();
    private @Nullable Tally tally;

    Errand(Conversation conversation, RequestHead head, Authority authority, Ending ending) {
        this.conversation = conversation;
        this.ending = ending;
        var scheme = conversation.wire().isTls() ? Scheme.HTTPS : Scheme.HTTP;
        this.handover = arrival().cage().credentials().handover(new Request(scheme, authority, head));
    }

    /// Ends the exchange, if it is not over.
    @FunctionalInterface
    interface Ending {
        void end(Refusal refusal, Traffic.End how);
    }

    private Arrival arrival() {
        return conversation.arrival();
    }

    private EventLoop loop() {
        return conversation.here().channel().eventLoop();
    }

    /// Judges a request, and at the same time the secrets that its head uses: whoever waits for the disk waits once.
    ///
    /// @param then hears what comes of it, on the event loop
    void judge(Judging judging, Consumer<Judging.Ruling> then) {
        if (handover.isIdle()) {
            judging.judge(conversation, loop(), ruling -> {
                if (ruling instanceof Judging.Ruling.Goes goes) {
                    tally = goes.tally();
                }
                then.accept(ruling);
            });
            return;
        }
        var used = new CompletableFuture<Uses>();
        judging.judge(
                conversation,
                loop(),
                ruling ->
                        used.whenComplete((uses, failure) -> loop().execute(() -> then.accept(settled(ruling, uses)))));
        boolean isVain = switch (arrival().cage().gate().judge(judging.action())) {
            case Decision.Allow allow -> Granted.isAmong(allow.because());
            case Decision.Ask ask -> Granted.isAmong(ask.because());
            case Decision.Deny _ -> true;
        };
        if (isVain || handover.misuse().isPresent()) {
            used.complete(Uses.NONE);
        } else {
            judge(handover.uses()).whenComplete((uses, failure) -> used.complete(uses == null ? Uses.NONE : uses));
        }
    }

    private CompletableFuture<Uses> judge(List<Action.SecretUse> asked) {
        return Uses.judge(arrival().cage().gate(), asked, arrival().waiting());
    }

    private Judging.Ruling settled(Judging.Ruling ruling, Uses judged) {
        begin(judged);
        return switch (ruling) {
            case Judging.Ruling.Stays stays -> {
                handover.misuse()
                        .ifPresent(
                                misuse -> stays.refusal().decision().ifPresent(decision -> record(misuse, decision)));
                end(new Traffic.End.Unreached("the request was refused"));
                yield stays;
            }
            case Judging.Ruling.Goes goes -> goes(goes, judged);
        };
    }

    private Judging.Ruling goes(Judging.Ruling.Goes goes, Uses judged) {
        tally = goes.tally();
        var misuse = handover.misuse();
        if (misuse.isPresent()) {
            var refusal = misused(misuse.get(), goes.tally());
            return stays(
                    goes,
                    new Judging.Ruling.Stays(refusal),
                    new Traffic.End.Stopped(misuse.get().kind()));
        }
        if (goes.tally().isByGrant() && handover.carries()) {
            var end = new Traffic.End.Unreached(NO_SECRET.detail());
            return stays(goes, new Judging.Ruling.Stays(granted(goes.tally())), end);
        }
        if (judged.denied().isPresent()) {
            var denied = judged.denied().get();
            var why = denied.denial().detail();
            return stays(goes, new Judging.Ruling.Stays(refusal(denied)), new Traffic.End.Unreached(why));
        }
        if (judged.granted().size() < handover.uses().size()) {
            var refusal = Refusal.failed("the use of a secret could not be judged");
            return stays(goes, new Judging.Ruling.Stays(refusal), new Traffic.End.Unreached(refusal.detail()));
        }
        return goes;
    }

    private static Refusal granted(Tally tally) {
        return Refusal.stopped(NO_SECRET, tally.decision());
    }

    private Judging.Ruling stays(Judging.Ruling.Goes goes, Judging.Ruling.Stays stays, Traffic.End end) {
        goes.tally().answered(stays.refusal().status());
        goes.tally().end(end);
        end(end);
        return stays;
    }

    private Refusal refusal(DeniedException denied) {
        return Refusal.denied(denied, arrival().cage().rulebook().remedy(denied));
    }

    /// Spends the warrants: what they allow happens from now on.
    private void begin(Uses judged) {
        for (Warrant warrant : judged.granted()) {
            var use = new Tally(arrival(), warrant, Budgets.Allowance.UNLIMITED);
            use.onRevoked(why -> loop().execute(() -> revoked(why)));
            uses.add(use);
        }
    }

    /// The policy was changed, and a use is allowed no longer.
    private void revoked(Decision.Deny why) {
        if (tally != null) {
            tally.revoke(why);
        }
    }

    /// Puts a misuse on record, and says what the client is told.
    private Refusal misused(Misuse misuse, Tally judged) {
        judged.found(List.of(misuse.finding()));
        arrival().cage().credentials().alarm().raised(misuse.secret(), judged.decision());
        return misuse.refusal(judged.decision());
    }

    private void record(Misuse misuse, String decision) {
        arrival()
                .desk()
                .scribe()
                .record(() -> arrival().cage().chronicle().found(new DecisionId(decision), misuse.finding()));
        arrival().cage().credentials().alarm().raised(misuse.secret(), decision);
    }

    /// Stands between the exchange and the origin from now on.
    void install(Lease lease) {
        handover.logins()
                .ifPresent(source -> lease.channel()
                        .pipeline()
                        .addLast(new TokenAnswer(source, this::unread, arrival().waiting())));
        if (!handover.isIdle()) {
            lease.channel().pipeline().addLast(new Swap(handover, new Guardian()));
        }
    }

    /// The answer has tokens in it that could not be kept from the cage.
    private void unread(String kind, String why) {
        var judged = tally;
        if (judged != null) {
            var end = new Traffic.End.Stopped(kind);
            judged.found(List.of(new Finding(Sighting.Severity.BLOCK, "logins", kind, Finding.Place.ANSWER, 0)));
            ending.end(Refusal.misused(why, judged.decision(), List.of()), end);
            judged.end(end);
            end(end);
        }
    }

    private final class Guardian implements Swap.Ward {
        @Override
        public void misused(Misuse misuse) {
            if (tally != null) {
                var end = new Traffic.End.Stopped(misuse.kind());
                ending.end(Errand.this.misused(misuse, tally), end);
                tally.end(end);
                Errand.this.end(end);
            }
        }

        @Override
        public void judge(List<Action.SecretUse> asked, Runnable granted) {
            if (tally != null && tally.isByGrant()) {
                over(Errand.granted(tally));
                return;
            }
            Errand.this
                    .judge(asked)
                    .whenComplete((judged, failure) -> loop().execute(() -> {
                        begin(judged == null ? Uses.NONE : judged);
                        if (judged == null) {
                            over(Refusal.failed("the use of a secret could not be judged: " + failure));
                        } else if (judged.denied().isPresent()) {
                            over(refusal(judged.denied().get()));
                        } else {
                            granted.run();
                        }
                    }));
        }

        private void over(Refusal refusal) {
            ending.end(refusal, new Traffic.End.Unreached(refusal.detail()));
        }

        @Override
        public void switched(Channel channel) {
            channel.closeFuture().addListener(_ -> Errand.this.end(new Traffic.End.Complete()));
        }

        @Override
        public void redacted(Set<String> secrets) {
            if (tally != null) {
                tally.found(List.of(
                        new Finding(Sighting.Severity.FLAG, "redaction", "redaction.answer", Finding.Place.ANSWER, 0)));
            }
        }
    }

    /// The exchange is over.
    void end(Traffic.End how) {
        uses.forEach(use -> use.end(how));
    }
}
