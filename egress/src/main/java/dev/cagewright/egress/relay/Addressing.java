package dev.cagewright.egress.relay;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.OneByOne;
import dev.cagewright.egress.http.RequestDecoder;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.visit.DeskVisit;
import dev.cagewright.policy.action.HostName;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/// Settles whom a request is for: whom the connection is for and whom the request names have to be one.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Addressing {
    private static final int TLS_PORT = 443;

    private final Conversation conversation;
    private final RequestHead head;

    private Addressing(Conversation conversation, RequestHead head) {
        this.conversation = conversation;
        this.head = head;
    }

    static void begin(Conversation conversation, RequestHead head) {
        var addressing = new Addressing(conversation, head);
        switch (head.form()) {
            case ORIGIN -> addressing.toOrigin();
            case ABSOLUTE -> addressing.asProxy();
            case TUNNEL -> addressing.tunnel();
        }
    }

    private void toOrigin() {
        var arrival = conversation.arrival();
        switch (arrival.dialled()) {
            case Dialled.Name(HostName host, var _) -> {
                var dialled = new Authority(host, arrival.port());
                if (head.authority().filter(named -> !named.equals(dialled)).isPresent()) {
                    misdirected("the request names " + head.authority().get() + ", dialled was " + dialled);
                } else {
                    exchange(dialled, Judging.Standing.NAMED);
                }
            }
            case Dialled.Address address -> {
                var dialled = new Authority(address.host(), arrival.port());
                var named = head.authority().orElse(dialled);
                exchange(named, named.equals(dialled) ? Judging.Standing.NAMED : Judging.Standing.ELSEWHERE);
            }
            case Dialled.Nobody nobody ->
                exchange(
                        head.authority()
                                .orElseGet(() -> new Authority(
                                        new HostName(nobody.address().toString()), arrival.port())),
                        Judging.Standing.ELSEWHERE);
        }
    }

    /// An address in full is for a proxy, and the cell has one at one port.
    private void asProxy() {
        if (isAtProxy()) {
            exchange(head.authority().orElseThrow(), Judging.Standing.NAMED);
        } else {
            misdirected("an address in full is for a proxy, which is at port " + Listener.PROXY_PORT);
        }
    }

    private boolean isAtProxy() {
        return conversation.wire() == Wire.CLEAR_1 && conversation.arrival().port() == Listener.PROXY_PORT;
    }

    /// Says yes to what may be reached, and what is said inside is judged like on any other connection. Where
    /// TLS is at home, it says yes to everything: clients show a refusal that they read inside TLS, and hide,
    /// or try again for long, one that they get for CONNECT.
    private void tunnel() {
        if (!isAtProxy()) {
            misdirected("CONNECT is for a proxy, which is at port " + Listener.PROXY_PORT);
            return;
        }
        var target = head.authority().orElseThrow();
        if (target.port() == TLS_PORT || isPolicyDesk(target)) {
            open(target);
            return;
        }
        try {
            conversation.arrival().waiting().execute(() -> {
                var refusal =
                        new Judging(conversation.arrival(), head, target, conversation.transcript()).judgeTunnel();
                conversation.here().channel().eventLoop().execute(() -> judged(target, refusal));
            });
        } catch (RejectedExecutionException _) {
            conversation.here().close();
        }
    }

    private void judged(Authority target, Optional<Refusal> refusal) {
        if (!conversation.here().channel().isActive()) {
            return;
        }
        refusal.ifPresentOrElse(conversation::refuse, () -> open(target));
    }

    private void open(Authority target) {
        var host = target.host();
        var arrival = conversation.arrival();
        var dialled = IpAddress.parse(host.value())
                .map(address -> Dialled.of(address, arrival.cage().addresses()))
                .orElseGet(() -> new Dialled.Name(host, Dialled.How.BY_CONNECT));
        var here = conversation.here();
        var pipeline = here.pipeline();
        here.writeAndFlush(new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, new HttpResponseStatus(200, "Connection established")));
        pipeline.addLast(new FirstBytes(arrival.to(dialled, target.port())));
        pipeline.remove(HttpResponseEncoder.class);
        conversation.leave();
        pipeline.remove(OneByOne.class);
        here.channel().config().setAutoRead(true);
        pipeline.remove(RequestDecoder.class);
    }

    private void visit(Judging.Standing standing) {
        var arrival = conversation.arrival();
        if (standing == Judging.Standing.ELSEWHERE) {
            misdirected(
                    PolicyDesk.NAME + " was asked for at " + arrival.dialled().text() + ", which is not its address");
            return;
        }
        conversation.serve(new DeskVisit(
                arrival.cage().policyDesk(), head, conversation, arrival.desk().visitors(), arrival.waiting()));
    }

    private void misdirected(String why) {
        conversation.arrival().refused(why);
        conversation.close();
        conversation.refuse(Refusal.misdirected(why));
    }

    private boolean isPolicyDesk(Authority authority) {
        return conversation.arrival().cage().policyDesk().isOpen()
                && authority.host().equals(PolicyDesk.NAME);
    }

    private void exchange(Authority authority, Judging.Standing standing) {
        if (isPolicyDesk(authority)) {
            visit(standing);
            return;
        }
        conversation.exchange(new Exchange(conversation, head, authority, standing));
    }
}
