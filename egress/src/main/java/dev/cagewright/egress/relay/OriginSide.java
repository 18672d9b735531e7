package dev.cagewright.egress.relay;

import dev.cagewright.egress.capture.Spoken;
import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.http.Fields;
import dev.cagewright.egress.http.MalformedException;
import dev.cagewright.egress.upstream.Causes;
import dev.cagewright.egress.upstream.HttpPool.Freshness;
import dev.cagewright.egress.upstream.HttpPool.Lease;
import dev.cagewright.egress.upstream.Origin;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;

/// The origin's end of one [Exchange]: the last handler of a leased channel while the exchange lasts.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class OriginSide extends ChannelInboundHandlerAdapter {
    private static final int SWITCHING = 101;

    /// An origin that never comes to its answer is none.
    private static final int MOST_INTERIM = 32;

    private final Exchange exchange;
    private final Lease lease;
    private final Judging.Ruling.Goes goes;
    private boolean offersExtensions;
    private boolean hasSpoken;
    private boolean skipsInterimEnd;
    private int interims;
    private boolean keepsAlive;
    private boolean isOver;

    OriginSide(Exchange exchange, Lease lease, Judging.Ruling.Goes goes) {
        this.exchange = exchange;
        this.lease = lease;
        this.goes = goes;
    }

    /// For what is kept.
    Transcript.Toward toward() {
        var origin = goes.origin();
        var channel = lease.channel();
        boolean isStream = channel instanceof Http2StreamChannel;
        var clear = origin.security() instanceof Origin.Security.Clear ? Spoken.CLEAR_1 : Spoken.TLS_1;
        var connection = isStream && channel.parent() != null ? channel.parent() : channel;
        return new Transcript.Toward(
                origin.named(),
                lease.address(),
                connection.id().asShortText(),
                isStream ? Spoken.TLS_2 : clear,
                lease.dialling());
    }

    void send(HttpRequest request) {
        var channel = lease.channel();
        offersExtensions = request.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
        channel.write(request).addListener(written -> {
            if (!written.isSuccess()) {
                failed(Causes.words(written.cause()));
            }
        });
        if (exchange.isRequestDone()) {
            channel.write(LastHttpContent.EMPTY_LAST_CONTENT);
            exchange.wholeSent();
        }
        channel.flush();
        channel.read();
    }

    void sendBody(HttpContent content) {
        lease.channel().writeAndFlush(content);
        if (lease.channel().isWritable()) {
            exchange.originWritable();
        }
    }

    /// The client takes more.
    void readOn() {
        if (!isOver) {
            lease.channel().read();
        }
    }

    void close() {
        isOver = true;
        lease.channel().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isOver || !(message instanceof HttpObject object)) {
            ReferenceCountUtil.release(message);
            return;
        }
        hasSpoken = true;
        if (object.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            failed("the upstream's answer cannot be read or is not whole");
            return;
        }
        try {
            if (object instanceof HttpResponse answer) {
                head(context, answer);
            }
            if (object instanceof HttpContent content && !isOver) {
                body(context, content);
            }
        } catch (MalformedException e) {
            failed("the upstream's answer is not right: " + e.what().why());
        }
    }

    private void head(ChannelHandlerContext context, HttpResponse answer) throws MalformedException {
        if (answer.status().code() == SWITCHING) {
            switched(context, answer);
        } else if (answer.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            interim(context, answer);
        } else {
            skipsInterimEnd = false;
            keepsAlive = new Fields(answer.headers(), answer.protocolVersion()).keepsAlive();
            if (answer instanceof FullHttpResponse whole && !whole.content().isReadable()) {
                isOver = true;
                exchange.answerWhole(whole);
                whole.release();
                if (!exchange.isOver()) {
                    release(context);
                    exchange.answered();
                }
            } else {
                exchange.answerHead(answer);
                if (exchange.isOver()) {
                    ReferenceCountUtil.release(answer);
                } else {
                    context.read();
                }
            }
        }
    }

    private void interim(ChannelHandlerContext context, HttpResponse answer) {
        interims++;
        if (interims > MOST_INTERIM) {
            failed("the upstream sent more than " + MOST_INTERIM + " interim answers");
            return;
        }
        skipsInterimEnd = true;
        exchange.interim(answer);
        context.read();
    }

    private void switched(ChannelHandlerContext context, HttpResponse answer) throws MalformedException {
        if (!exchange.head().asksForWebSocket()) {
            failed("the upstream switches to a protocol that nobody asked for");
            return;
        }
        if (!new Fields(answer.headers(), answer.protocolVersion()).hasUpgradeTo("websocket")) {
            failed("the upstream switches to another protocol than the WebSocket that was asked for");
            return;
        }
        if (answer.headers().contains(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS) && !offersExtensions) {
            failed("the upstream agrees to an extension of WebSocket that was not offered");
            return;
        }
        isOver = true;
        context.pipeline().remove(this);
        exchange.switched(answer, lease);
    }

    private void body(ChannelHandlerContext context, HttpContent content) {
        boolean isLast = content instanceof LastHttpContent;
        if (skipsInterimEnd && isLast) {
            skipsInterimEnd = false;
            content.release();
            context.read();
            return;
        }
        if (isLast) {
            isOver = true;
        }
        boolean takesMore = exchange.answerBody(content);
        if (exchange.isOver()) {
            return;
        }
        if (isLast) {
            release(context);
            exchange.answered();
        } else if (takesMore) {
            context.read();
        }
    }

    private void release(ChannelHandlerContext context) {
        context.pipeline().remove(this);
        if (keepsAlive && exchange.isRequestDone()) {
            exchange.giveBack(goes.origin(), lease);
        } else {
            lease.channel().close();
        }
    }

    private void failed(String why) {
        if (isOver) {
            return;
        }
        isOver = true;
        lease.channel().close();
        if (lease.freshness() == Freshness.USED && !hasSpoken && exchange.isRepeatable()) {
            exchange.again(goes);
        } else {
            exchange.originFailed(why);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        failed("the upstream closed the connection before its answer was whole");
        super.channelInactive(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable() && !isOver) {
            exchange.originWritable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(Causes.words(cause));
    }
}
