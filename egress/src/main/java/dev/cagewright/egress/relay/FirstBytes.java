package dev.cagewright.egress.relay;

import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.hello.ClientHello;
import dev.cagewright.egress.refusal.Abort;
import dev.cagewright.egress.refusal.TlsAlert;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Looks at the first bytes of a connection, and puts in its place what serves them: a TLS hello once it is
/// whole, an HTTP request, bytes for a destination whose rule is `protocol: tcp`, or that no rule names while unlisted
/// hosts are let through. Anything else is closed and put on record. Bytes that were looked at go to whoever comes
/// next.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class FirstBytes extends ByteToMessageDecoder {
    private static final String HTTP2_PREFACE = "PRI * HTTP/2.0";
    private static final int MAX_METHOD = 32;

    private final Arrival arrival;
    private @Nullable Watchdog watchdog;
    private boolean settled;
    private int wanted;

    FirstBytes(Arrival arrival) {
        this.arrival = arrival;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        watchdog = new Watchdog(context.channel().eventLoop(), () -> refuse(context, "nothing whole was said in time"));
        watchdog.expect(arrival.desk().deadlines().greeting());
        if (context.channel().isActive()) {
            begin(context);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        begin(context);
        super.channelActive(context);
    }

    /// Where the rule is about bytes, nothing has to be said first: some servers greet.
    private void begin(ChannelHandlerContext context) {
        if (!settled && Passing.isTcp(arrival)) {
            settle();
            Passing.begin(context, this, arrival);
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (settled || !in.isReadable() || in.readableBytes() < wanted) {
            return;
        }
        switch (ClientHello.read(in)) {
            case ClientHello.Incomplete(int more) -> wanted = more;
            case ClientHello.Malformed(String why) -> {
                settle();
                TlsAlert.DECODE_ERROR.send(context);
                arrival.refused("the TLS hello cannot be read: " + why);
            }
            case ClientHello.Hello hello -> {
                settle();
                context.channel().config().setAutoRead(false);
                HelloDesk.serve(context, this, arrival, hello);
            }
            case ClientHello.NotTls _ -> other(context, in);
        }
    }

    private void other(ChannelHandlerContext context, ByteBuf in) {
        int size = Math.min(in.readableBytes(), MAX_METHOD + 1);
        var start = in.toString(in.readerIndex(), size, StandardCharsets.ISO_8859_1);
        if (HTTP2_PREFACE.startsWith(start) || start.startsWith(HTTP2_PREFACE)) {
            if (start.length() >= HTTP2_PREFACE.length()) {
                refuse(context, "HTTP/2 in the clear, which is not read");
            }
            return;
        }
        int space = start.indexOf(' ');
        var method = space < 0 ? start : start.substring(0, space);
        if (!method.matches("[A-Za-z-]{1," + MAX_METHOD + "}")) {
            neither(context);
        } else if (space > 0) {
            settle();
            Wire.install(context, this, new Conversation(arrival, Wire.CLEAR_1));
        }
    }

    private void neither(ChannelHandlerContext context) {
        if (Passing.isObserved(arrival)) {
            settle();
            Passing.begin(context, this, arrival);
        } else {
            refuse(context, "the first bytes are neither TLS nor HTTP");
        }
    }

    private void settle() {
        settled = true;
        cancelWatchdog();
    }

    private void refuse(ChannelHandlerContext context, String why) {
        settle();
        arrival.refused(why);
        Abort.reset(context.channel());
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        cancelWatchdog();
    }

    private void cancelWatchdog() {
        if (watchdog != null) {
            watchdog.cancel();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
