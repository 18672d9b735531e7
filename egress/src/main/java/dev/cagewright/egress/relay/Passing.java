package dev.cagewright.egress.relay;

import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.credential.Misuse;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.refusal.Abort;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.upstream.Dialer;
import dev.cagewright.egress.upstream.Origin;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/// A connection that is passed on as bytes: judged, dialled, spliced, put on record.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Passing {
    private final ChannelHandlerContext context;
    private final FirstBytes front;
    private final Arrival arrival;
    private final HostName host;

    private Passing(ChannelHandlerContext context, FirstBytes front, Arrival arrival, HostName host) {
        this.context = context;
        this.front = front;
        this.arrival = arrival;
        this.host = host;
    }

    /// Does every rule about the destination say `protocol: tcp`?
    static boolean isTcp(Arrival arrival) {
        return all(arrival, rule -> rule.protocol() == HostRule.Protocol.TCP);
    }

    /// Does every rule about the destination say `inspect: false`?
    static boolean isUnopened(Arrival arrival) {
        return all(arrival, rule -> rule.inspection() == HostRule.Inspection.PASSED_THROUGH);
    }

    /// Is the destination let through although no rule names it?
    static boolean isObserved(Arrival arrival) {
        var cage = arrival.cage();
        return host(arrival)
                .filter(host -> cage.rulebook().rules(host, arrival.port()).isEmpty())
                .filter(host ->
                        cage.gate().judge(new Action.NetConnect(host, arrival.port())) instanceof Decision.Allow)
                .isPresent();
    }

    private static boolean all(Arrival arrival, Predicate<HostRule> says) {
        var rules = host(arrival)
                .map(host -> arrival.cage().rulebook().rules(host, arrival.port()))
                .orElse(List.of());
        return !rules.isEmpty() && rules.stream().allMatch(says);
    }

    private static Optional<HostName> host(Arrival arrival) {
        if (arrival.isForPolicyDesk()) {
            return Optional.empty();
        }
        return switch (arrival.dialled()) {
            case Dialled.Name(HostName host, var _) -> Optional.of(host);
            case Dialled.Address address -> Optional.of(address.host());
            case Dialled.Nobody _ -> Optional.empty();
        };
    }

    /// Begins; `front` holds what has come so far.
    static void begin(ChannelHandlerContext context, FirstBytes front, Arrival arrival) {
        context.channel().config().setAutoRead(false);
        arrival.desk().crowd().busy(context.channel());
        var passing = new Passing(context, front, arrival, host(arrival).orElseThrow());
        try {
            arrival.waiting().execute(passing::judgeSafely);
        } catch (RejectedExecutionException _) {
            context.close();
        }
    }

    private void judgeSafely() {
        try {
            judge();
        } catch (RuntimeException | StackOverflowError e) {
            arrival.refused("the connection could not be judged: " + e);
            context.channel().eventLoop().execute(() -> Abort.reset(context.channel()));
        }
    }

    private void judge() {
        var cage = arrival.cage();
        var action = new Action.NetConnect(host, arrival.port());
        var allowance = cage.budgets().of(action);
        Warrant warrant;
        try {
            warrant = cage.gate().pass(action, allowance);
        } catch (DeniedException _) {
            context.channel().eventLoop().execute(() -> Abort.reset(context.channel()));
            return;
        }
        var tally = new Tally(arrival, warrant, allowance);
        var decoy = cage.credentials().inName(host.value());
        if (decoy.isPresent()) {
            tally.found(List.of(Misuse.inName(decoy.get()).finding()));
            cage.credentials().alarm().raised(decoy.get(), tally.decision());
            giveUp(tally, new Traffic.End.Stopped(Misuse.inName(decoy.get()).kind()));
            return;
        }
        var upstream = cage.rulebook().upstream(host);
        var rules = cage.rulebook().rules(host, arrival.port());
        switch (arrival.desk().lookup().find(upstream, rules, cage.rulebook().proxy())) {
            case Destination.Dialable way -> {
                var origin = new Origin(new Authority(upstream, arrival.port()), way, new Origin.Security.Clear());
                context.channel().eventLoop().execute(() -> dial(origin, tally));
            }
            case Destination.Forbidden(String why) -> giveUp(tally, new Traffic.End.Unreached(why));
            case Destination.Unresolved(String why) -> giveUp(tally, new Traffic.End.Unreached(why));
        }
    }

    private void dial(Origin origin, Tally tally) {
        arrival.desk()
                .dialer()
                .connect(origin, context.channel().eventLoop())
                .addListener((Future<Dialer.Connected> done) -> {
                    if (done.isSuccess()) {
                        var connected = done.getNow();
                        tally.reached(connected.address());
                        Splice.join(
                                context.channel(),
                                connected.channel(),
                                tally,
                                arrival.desk().deadlines());
                        context.pipeline().remove(front);
                    } else {
                        giveUp(
                                tally,
                                new Traffic.End.Unreached(
                                        String.valueOf(done.cause().getMessage())));
                    }
                });
    }

    private void giveUp(Tally tally, Traffic.End end) {
        tally.end(end);
        context.channel().eventLoop().execute(() -> Abort.reset(context.channel()));
    }
}
