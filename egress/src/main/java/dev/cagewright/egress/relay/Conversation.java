package dev.cagewright.egress.relay;

import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.http.Malformed;
import dev.cagewright.egress.http.MalformedException;
import dev.cagewright.egress.http.RequestDecoder;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.question.BodyView;
import dev.cagewright.egress.question.WithheldBody;
import dev.cagewright.egress.refusal.Abort;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.refusal.RefusalPage;
import dev.cagewright.egress.relay.Wire.After;
import dev.cagewright.egress.underway.Serving;
import dev.cagewright.egress.visit.DeskVisit;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One client speaking HTTP: its requests, one after the other, each an [Exchange] of its own. Reads the next
/// piece only when there is a use for it. For one channel: an HTTP/1 connection, or one stream of an HTTP/2
/// connection.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Conversation extends ChannelInboundHandlerAdapter implements DeskVisit.Client {
    /// How long a client may go on with a body that nobody wants.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Arrival arrival;
    private final Wire wire;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Watchdog watchdog;
    private @Nullable Serving exchange;
    private @Nullable RequestHead head;
    private @Nullable Withheld withheld;
    private Transcript transcript = Transcript.NONE;
    private boolean requestDone = true;
    private boolean answered;
    private After after = After.GOES_ON;

    Conversation(Arrival arrival, Wire wire) {
        this.arrival = arrival;
        this.wire = wire;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        var dog = new Watchdog(added.channel().eventLoop(), this::overdue);
        watchdog = dog;
        dog.expect(arrival.desk().deadlines().head());
        added.channel().config().setAutoRead(false);
        added.read();
    }

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
        progress();
        switch (message) {
            case Malformed(int status, String why) -> malformed(status, why);
            case HttpObject object
            when object.decoderResult().isFailure() -> {
                ReferenceCountUtil.release(object);
                malformed(400, "the message cannot be read");
            }
            case HttpRequest request -> {
                begin(request);
                if (message instanceof LastHttpContent last) {
                    body(last);
                } else {
                    readEnd();
                }
            }
            case HttpContent content -> body(content);
            default -> ReferenceCountUtil.release(message);
        }
    }

    private void begin(HttpRequest request) {
        requestDone = false;
        answered = false;
        after = After.GOES_ON;
        try {
            var read = RequestHead.of(request, arrival.port());
            head = read;
            transcript = Transcript.begin(arrival.cage().capture(), request.uri());
            after = read.fields().keepsAlive() ? After.GOES_ON : After.CLOSES;
            Addressing.begin(this, read);
        } catch (MalformedException e) {
            malformed(e.what().status(), e.what().why());
        }
    }

    /// The end of a request without a body came with its head: it is taken before anybody asks for more.
    private void readEnd() {
        if (exchange != null
                && head != null
                && (withheld != null || (wire != Wire.STREAM_2 && !head.fields().announcesBody()))) {
            here().read();
        }
    }

    /// The request is for whom the connection is for: it is judged, and goes its way.
    void exchange(Exchange next) {
        transcript.asked(next.head(), next.authority(), wire.spoken());
        serve(next);
    }

    /// The request is for whoever serves it, and goes nowhere else.
    void serve(Serving next) {
        exchange = next;
        arrival.desk().crowd().busy(connection());
        waitOn();
        next.begin();
    }

    @Override
    public void waitOn() {
        watchdog().expect(arrival.desk().deadlines().idle());
    }

    private Channel connection() {
        var channel = here().channel();
        return wire == Wire.STREAM_2 ? channel.parent() : channel;
    }

    /// Keeps the body of the request back until somebody has use for it, and that is after `whole` was told of it.
    void withhold(Consumer<BodyView> whole) {
        withheld = new Withheld(new WithheldBody(arrival.desk().withholding()), whole);
        sayContinue();
    }

    private void sayContinue() {
        if (head != null && head.fields().expectsContinue()) {
            here().writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    @Override
    public void readBody() {
        sayContinue();
        readMore();
    }

    @Override
    public EventLoop loop() {
        return here().channel().eventLoop();
    }

    /// A body that is kept back.
    ///
    /// @param whole hears of it when all of it is there
    private record Withheld(WithheldBody body, Consumer<BodyView> whole) {}

    private void keepBack(Withheld kept, HttpContent content) {
        var refused = kept.body().keep(content);
        if (refused.isPresent()) {
            withheld = null;
            requestDone |= content instanceof LastHttpContent;
            if (exchange != null) {
                exchange.clientGone(refused.get());
            }
            refuse(Refusal.unapprovable(refused.get()));
        } else if (kept.body().isWhole()) {
            kept.whole().accept(kept.body().shown());
        } else {
            here().read();
        }
    }

    private void letGo() {
        if (withheld != null) {
            withheld.body().close();
            withheld = null;
        }
    }

    private void body(HttpContent content) {
        if (withheld != null && exchange != null && !answered) {
            keepBack(withheld, content);
            return;
        }
        requestDone |= content instanceof LastHttpContent;
        if (exchange != null && !answered) {
            exchange.body(content);
            return;
        }
        content.release();
        if (!requestDone) {
            here().read();
        } else if (exchange == null && answered) {
            next();
        }
    }

    private void malformed(int status, String why) {
        arrival.refused(why);
        after = After.CLOSES;
        if (exchange != null) {
            exchange.clientGone("the client's message cannot be read: " + why);
        }
        if (exchange != null && exchange.isHeadAnswered()) {
            broken();
        } else if (!answered) {
            requestDone |= wire != Wire.STREAM_2;
            refuse(Refusal.malformed(status, why));
        } else {
            here().close();
        }
    }

    /// Answers with a refusal. What is left of the request is read and thrown away, for a while.
    void refuse(Refusal refusal) {
        requestDone |= withheld != null && withheld.body().isWhole();
        letGo();
        if (isAtNobodys()) {
            after = After.CLOSES;
        }
        var page = RefusalPage.of(
                refusal,
                Optional.ofNullable(head).map(read -> read.fields().all()),
                arrival.cage().policyDesk());
        keep(refusal, page);
        answer(page);
    }

    /// Whoever keeps a connection to an address that is nobody's would be refused there what is granted meanwhile: the
    /// next request has to look the name up again.
    private boolean isAtNobodys() {
        return arrival.dialled() instanceof Dialled.Nobody;
    }

    @Override
    public void answer(FullHttpResponse page) {
        exchange = null;
        answered = true;
        if (!requestDone && head != null && head.fields().expectsContinue()) {
            after = After.CLOSES;
        }
        wire.answer(here(), head, page, after);
        watchdog().expect(PATIENCE);
        if (requestDone) {
            next();
        } else {
            here().read();
        }
    }

    private void keep(Refusal refusal, FullHttpResponse page) {
        if (head != null) {
            transcript.asked(head, head.authority().orElseGet(arrival::authority), wire.spoken());
            transcript.refused(refusal, page, head.method().equals("HEAD") ? Unpooled.EMPTY_BUFFER : page.content());
        }
    }

    /// The answer is written whole.
    void finished() {
        exchange = null;
        answered = true;
        if (requestDone) {
            next();
        } else {
            after = After.CLOSES;
            watchdog().expect(PATIENCE);
            wire.declineRest(here());
        }
    }

    private void next() {
        if (wire == Wire.STREAM_2) {
            watchdog().cancel();
            if (isAtNobodys()) {
                connection().close(); // says so first, and lets other streams come to their end
            }
            return;
        }
        if (after == After.CLOSES) {
            here().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        head = null;
        transcript = Transcript.NONE;
        answered = false;
        arrival.desk().crowd().idle(connection());
        watchdog().expect(arrival.desk().deadlines().head());
        var decoder = here().pipeline().get(RequestDecoder.class);
        if (decoder != null) {
            decoder.resume();
        }
        here().read();
    }

    /// The answer ends before it is whole, and the client has to see that.
    void broken() {
        exchange = null;
        wire.abort(here());
    }

    @Override
    public void readMore() {
        if (withheld != null) {
            var kept = withheld.body().handOn();
            withheld = null;
            body(kept);
        } else if (!requestDone) {
            here().read();
        }
    }

    boolean isRequestDone() {
        return requestDone;
    }

    After after() {
        return after;
    }

    /// The connection ends with this answer.
    void close() {
        after = After.CLOSES;
    }

    void progress() {
        watchdog().progress();
    }

    private void overdue() {
        if (withheld != null && !withheld.body().isWhole()) {
            here().close();
        } else if (exchange != null) {
            exchange.overdue();
        } else {
            here().close();
        }
    }

    /// What is kept of the request that is served.
    Transcript transcript() {
        return transcript;
    }

    Arrival arrival() {
        return arrival;
    }

    Wire wire() {
        return wire;
    }

    ChannelHandlerContext here() {
        if (context == null) {
            throw new IllegalStateException("conversation is in no pipeline");
        }
        return context;
    }

    private Watchdog watchdog() {
        if (watchdog == null) {
            throw new IllegalStateException("conversation is in no pipeline");
        }
        return watchdog;
    }

    /// Everything that a client said from here on is for whoever comes behind; the timers are theirs.
    void leave() {
        watchdog().cancel();
        exchange = null;
        here().pipeline().remove(this);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext here) {
        if (exchange != null && here.channel().isWritable()) {
            exchange.clientWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext here) throws Exception {
        watchdog().cancel();
        letGo();
        if (exchange != null) {
            exchange.clientGone("the client closed the connection");
            exchange = null;
        }
        super.channelInactive(here);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext here, Throwable cause) {
        Abort.reset(here.channel());
    }
}
