package dev.cagewright.egress.relay;

import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.upstream.Origin;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import java.util.Optional;
import java.util.function.Supplier;

/// Judges one request and finds out where it goes. Waits for the disk and for name servers.
final class Judging {
    private final Arrival arrival;
    private final RequestHead head;
    private final Authority authority;
    private final Transcript transcript;

    Judging(Arrival arrival, RequestHead head, Authority authority, Transcript transcript) {
        this.arrival = arrival;
        this.head = head;
        this.authority = authority;
        this.transcript = transcript;
    }

    /// What comes of it.
    sealed interface Ruling {
        /// It may go, to this origin.
        record Goes(Tally tally, Action.HttpRequest action, Origin origin) implements Ruling {}

        /// It may not, or cannot.
        record Stays(Refusal refusal) implements Ruling {}
    }

    /// Judges a request for whom the connection is for. Does not throw: what cannot be judged stays.
    Ruling judge(Wire wire) {
        return safely(() -> {
            var cage = arrival.cage();
            var action = action();
            var allowance = cage.budgets().of(action);
            Warrant warrant;
            try {
                warrant = cage.gate().pass(action, allowance);
            } catch (DeniedException e) {
                return denied(e);
            }
            transcript.mark(Moment.JUDGED);
            return destined(new Tally(arrival, warrant, allowance), wire);
        });
    }

    private Ruling.Stays denied(DeniedException denied) {
        return new Ruling.Stays(Refusal.denied(denied, arrival.cage().rulebook().remedy(denied)));
    }

    private Ruling destined(Tally tally, Wire wire) {
        try {
            var rulebook = arrival.cage().rulebook();
            var upstream = rulebook.upstream(authority.host());
            var rules = rulebook.rules(authority.host(), authority.port());
            var destination = arrival.desk().lookup().find(upstream, rules, rulebook.proxy());
            transcript.mark(Moment.RESOLVED);
            return switch (destination) {
                case Destination.Dialable way -> {
                    var named = new Authority(upstream, authority.port());
                    yield new Ruling.Goes(
                            tally, (Action.HttpRequest) tally.action(), new Origin(named, way, security(wire)));
                }
                case Destination.Forbidden(String why) -> stays(tally, Refusal.forbiddenAddress(why, tally.decision()));
                case Destination.Unresolved(String why) -> stays(tally, Refusal.unreached(why, tally.decision()));
            };
        } catch (RuntimeException e) {
            return stays(tally, Refusal.failed("the destination could not be found out: " + e));
        }
    }

    private static Ruling stays(Tally tally, Refusal refusal) {
        tally.answered(refusal.status());
        tally.end(new Traffic.End.Unreached(refusal.detail()));
        return new Ruling.Stays(refusal);
    }

    private static Ruling safely(Supplier<Ruling> judging) {
        try {
            return judging.get();
        } catch (RuntimeException | StackOverflowError e) {
            return new Ruling.Stays(Refusal.failed("the request could not be judged: " + e));
        }
    }

    private Origin.Security security(Wire wire) {
        return wire.isTls()
                ? new Origin.Security.Tls(
                        arrival.cage().rulebook().roots(authority.host(), authority.port()),
                        OriginRequest.offer(head, wire))
                : new Origin.Security.Clear();
    }

    /// Judges a request that names somebody at an address that is nobody's or another's: it never goes.
    Ruling judgeElsewhere() {
        return safely(() -> {
            var gate = arrival.cage().gate();
            var action = action();
            if (gate.judge(action) instanceof Decision.Deny) {
                try {
                    gate.pass(action).spend();
                } catch (DeniedException e) {
                    return denied(e);
                }
            }
            var why = authority + " was asked for at " + arrival.dialled().text()
                    + ", which is not its address in this cage";
            arrival.refused(why);
            return new Ruling.Stays(Refusal.elsewhere(why));
        });
    }

    /// Judges a tunnel before anything is known of what will be said in it. What may be reached is not put on
    /// record yet. Does not throw.
    ///
    /// @return empty if something may go there
    Optional<Refusal> judgeTunnel() {
        var gate = arrival.cage().gate();
        var connection = new Action.NetConnect(authority.host(), authority.port());
        try {
            if (gate.judge(connection) instanceof Decision.Deny) {
                gate.pass(connection).spend();
            }
            return Optional.empty();
        } catch (DeniedException e) {
            return Optional.of(denied(e).refusal());
        } catch (RuntimeException | StackOverflowError e) {
            return Optional.of(Refusal.failed("the connection could not be judged: " + e));
        }
    }

    private Action.HttpRequest action() {
        return new Action.HttpRequest(head.method(), authority.host(), authority.port(), head.path());
    }
}
