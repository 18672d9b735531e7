package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.question.BodyView;
import dev.cagewright.egress.question.RequestExhibit;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.upstream.Origin;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Judges one request and finds out where it goes. Where a person or a budget may have to be waited for that is done
/// on a thread that may wait, otherwise by whoever is told by the disk or a name server.
final class Judging {
    /// Methods by which something is sent, as over a WebSocket.
    private static final List<String> SENDING = List.of("POST", "PUT", "PATCH", "DELETE");

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

    /// Is the request for whom the connection is for?
    enum Standing {
        NAMED,
        ELSEWHERE
    }

    /// What comes of it.
    sealed interface Ruling {
        /// It may go, to this origin.
        record Goes(Tally tally, Action.HttpRequest action, Origin origin) implements Ruling {}

        /// It may not, or cannot.
        record Stays(Refusal refusal) implements Ruling {}
    }

    /// Judges a request for whom the connection is for, without keeping the calling event loop. Does not throw: what
    /// cannot be judged stays.
    ///
    /// @param told hears what comes of it, on `loop`
    private void judge(Wire wire, EventLoop loop, Consumer<Ruling> told) {
        Consumer<Ruling> then = on(loop, told);
        var action = action();
        try {
            var allowance = arrival.cage().budgets().of(action);
            if (!allowance.equals(Budgets.Allowance.UNLIMITED) || !isHeardSoon(action, new Soon(wire, loop, then))) {
                arrival.waiting().execute(() -> then.accept(judge(wire, RequestExhibit.late())));
            }
        } catch (RejectedExecutionException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            then.accept(unjudged(e));
        }
    }

    /// Like [#judge(Wire, EventLoop, Consumer)]; what a person has to agree to is there whole before they are asked.
    ///
    /// @param conversation whose request it is, and who keeps its body back
    void judge(Conversation conversation, EventLoop loop, Consumer<Ruling> told) {
        var wire = conversation.wire();
        if (isQuestion(head.method())) {
            conversation.withhold(body -> judge(wire, loop, told, body));
            return;
        }
        var unseen = unseen();
        if (unseen.isPresent()) {
            arrival.refused(authority + ": " + unseen.get().detail());
            on(loop, told).accept(new Ruling.Stays(unseen.get()));
        } else {
            judge(wire, loop, told);
        }
    }

    /// A WebSocket whose opening nobody is asked about, to where sending is asked about.
    private Optional<Refusal> unseen() {
        return head.asksForWebSocket()
                ? SENDING.stream()
                        .flatMap(method -> question(method).stream())
                        .findFirst()
                        .map(Refusal::unseen)
                : Optional.empty();
    }

    private boolean isQuestion(String method) {
        return question(method).isPresent();
    }

    /// What a person has to be asked before a request by this method. A rule that fails does not ask.
    private Optional<Decision.Ask> question(String method) {
        try {
            var action = new Action.HttpRequest(method, authority.host(), authority.port(), head.path());
            return arrival.cage().gate().judge(action) instanceof Decision.Ask ask
                    ? Optional.of(ask)
                    : Optional.empty();
        } catch (RuntimeException | StackOverflowError _) {
            return Optional.empty();
        }
    }

    /// Judges a request whose body is kept back, and waits for the person on a thread of its own.
    ///
    /// @param body as the person is shown it
    private void judge(Wire wire, EventLoop loop, Consumer<Ruling> told, BodyView body) {
        var security = wire.isTls() ? RequestExhibit.Security.TLS : RequestExhibit.Security.CLEAR;
        var exhibit = new RequestExhibit(action(), security, head, body);
        arrival.waiting().execute(() -> on(loop, told).accept(judge(wire, exhibit)));
    }

    private static Consumer<Ruling> on(EventLoop loop, Consumer<Ruling> told) {
        return ruling -> {
            if (loop.inEventLoop()) {
                told.accept(ruling);
            } else {
                loop.execute(() -> told.accept(ruling));
            }
        };
    }

    private boolean isHeardSoon(Action action, Soon soon) {
        arrival.desk().hearings().begun();
        boolean isHeard = false;
        try {
            isHeard = arrival.cage().gate().pass(action, soon);
            return isHeard;
        } finally {
            if (!isHeard) {
                arrival.desk().hearings().ended();
            }
        }
    }

    /// Hears the gate, on the log's thread, and is outstanding until the ruling is told.
    private final class Soon implements Gate.Hearing {
        private final Wire wire;
        private final Executor loop;
        private final Consumer<Ruling> then;

        Soon(Wire wire, Executor loop, Consumer<Ruling> then) {
            this.wire = wire;
            this.loop = loop;
            this.then = then;
        }

        @Override
        public void passed(Warrant warrant) {
            transcript.mark(Moment.JUDGED);
            next(loop, () -> destined(new Tally(arrival, warrant, Budgets.Allowance.UNLIMITED), wire, this::tell));
        }

        @Override
        public void denied(DeniedException denied) {
            next(arrival.waiting(), () -> tell(safely(() -> Judging.this.denied(denied))));
        }

        private void next(Executor who, Runnable step) {
            try {
                who.execute(step);
            } catch (RejectedExecutionException _) {
                arrival.desk().hearings().ended();
            }
        }

        private void tell(Ruling ruling) {
            try {
                then.accept(ruling);
            } finally {
                arrival.desk().hearings().ended();
            }
        }
    }

    private Ruling judge(Wire wire, Exhibit exhibit) {
        return safely(() -> {
            var cage = arrival.cage();
            var action = action();
            var allowance = cage.budgets().of(action);
            Warrant warrant;
            try {
                warrant = cage.gate().pass(action, allowance, exhibit);
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
        var ruling = new CompletableFuture<Ruling>();
        destined(tally, wire, ruling::complete);
        return ruling.join();
    }

    private void destined(Tally tally, Wire wire, Consumer<Ruling> then) {
        try {
            var rulebook = arrival.cage().rulebook();
            var upstream = rulebook.upstream(authority.host());
            var rules = rulebook.rules(authority.host(), authority.port());
            arrival.desk()
                    .lookup()
                    .later(upstream, rules, rulebook.proxy())
                    .thenApply(destination -> {
                        transcript.mark(Moment.RESOLVED);
                        return destined(tally, wire, upstream, destination);
                    })
                    .exceptionally(failure -> unfound(tally, failure))
                    .thenAccept(then);
        } catch (RuntimeException e) {
            then.accept(unfound(tally, e));
        }
    }

    private Ruling destined(Tally tally, Wire wire, HostName upstream, Destination destination) {
        return switch (destination) {
            case Destination.Dialable way -> {
                var named = new Authority(upstream, authority.port());
                yield new Ruling.Goes(
                        tally, (Action.HttpRequest) tally.action(), new Origin(named, way, security(wire)));
            }
            case Destination.Forbidden(String why) -> stays(tally, Refusal.forbiddenAddress(why, tally.decision()));
            case Destination.Unresolved(String why) -> stays(tally, Refusal.unreached(why, tally.decision()));
        };
    }

    private static Ruling unfound(Tally tally, Throwable failure) {
        return stays(tally, Refusal.failed("the destination could not be found out: " + failure));
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
            return unjudged(e);
        }
    }

    private static Ruling unjudged(Throwable why) {
        return new Ruling.Stays(Refusal.failed("the request could not be judged: " + why));
    }

    private Origin.Security security(Wire wire) {
        return wire.isTls()
                ? new Origin.Security.Tls(
                        arrival.cage().rulebook().roots(authority.host(), authority.port()),
                        OriginRequest.offer(head, wire))
                : new Origin.Security.Clear();
    }

    /// Judges a request that names somebody at an address that is nobody's or another's: it never goes.
    ///
    /// @param told hears so, on `loop`
    void judgeElsewhere(EventLoop loop, Consumer<Ruling> told) {
        arrival.waiting().execute(() -> on(loop, told).accept(judgeElsewhere()));
    }

    private Ruling judgeElsewhere() {
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

    /// What is judged.
    Action.HttpRequest action() {
        return new Action.HttpRequest(head.method(), authority.host(), authority.port(), head.path());
    }
}
