package dev.cagewright.egress.upstream;

import dev.cagewright.egress.deadline.Watchdog;
import dev.cagewright.egress.http.Authority;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks a proxy for a tunnel (RFC 9110 section 9.3.6) and reads its answer strictly: no more than 16 KiB of head,
/// lines that end in CR LF, within 30 s. What the proxy sends behind the head is the origin's and waits for whoever
/// reads next. For one channel, which reads only when it is asked to.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class ProxyTunnel extends ChannelDuplexHandler {
    static final int MAX_HEAD_BYTES = 16 * 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MAX_REASON = 80;
    private static final ByteBuf EMPTY_LINE =
            Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer("\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    private static final Pattern STATUS_LINE =
            Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])(?: ([ -~\\t\\x80-\\xff]*))?");
    private static final Pattern FIELD_LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~\\t\\x80-\\xff]*");

    private final Authority target;
    private final Promise<Channel> promise;
    private ByteBuf received = Unpooled.EMPTY_BUFFER;
    private boolean isOpen;

    private ProxyTunnel(Authority target, Promise<Channel> promise) {
        this.target = target;
        this.promise = promise;
    }

    /// Asks for `target` on a connection to the proxy.
    ///
    /// @return fails with an [UnreachedException] that says what the proxy said
    static Future<Channel> open(Channel channel, Authority target) {
        Promise<Channel> promise = channel.eventLoop().newPromise();
        var watchdog = new Watchdog(
                channel.eventLoop(), () -> promise.tryFailure(new UnreachedException("did not answer in time")));
        watchdog.expect(PATIENCE);
        promise.addListener(_ -> watchdog.cancel());
        channel.pipeline().addLast(new ProxyTunnel(target, promise));
        var request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
        channel.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
        channel.read();
        return promise;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        received = context.alloc().buffer();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isOpen || promise.isDone() || !(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
            return;
        }
        received.writeBytes(bytes);
        bytes.release();
        try {
            answer(context);
        } catch (UnreachedException e) {
            promise.tryFailure(e);
        }
        if (!promise.isDone()) {
            context.read();
        }
    }

    /// Interim answers are passed over; they count as head.
    private void answer(ChannelHandlerContext context) throws UnreachedException {
        while (!promise.isDone()) {
            int end = endOfHead();
            if (end < 0) {
                return;
            }
            int status = head(
                    received.readCharSequence(end, StandardCharsets.ISO_8859_1).toString());
            if (status >= 200) {
                opened(context);
            }
        }
    }

    /// How long the head at the front is, its empty line included; -1 when it is not whole yet.
    private int endOfHead() throws UnreachedException {
        int from = received.readerIndex();
        int found = ByteBufUtil.indexOf(EMPTY_LINE.duplicate(), received);
        int end = found < 0 ? received.writerIndex() : found + EMPTY_LINE.readableBytes();
        if (end > MAX_HEAD_BYTES) {
            throw new UnreachedException("answered with a head of more than " + MAX_HEAD_BYTES + " bytes");
        }
        return found < 0 ? -1 : end - from;
    }

    /// @return the status of an answer that is not a refusal
    private int head(String text) throws UnreachedException {
        var lines =
                text.substring(0, text.length() - EMPTY_LINE.readableBytes()).split("\r\n", -1);
        var first = STATUS_LINE.matcher(lines[0]);
        boolean isRight = first.matches();
        for (int i = 1; i < lines.length; i++) {
            isRight &= FIELD_LINE.matcher(lines[i]).matches();
        }
        if (!isRight) {
            throw new UnreachedException("answered what cannot be read");
        }
        int status = Integer.parseInt(first.group(1));
        if (status >= 300 || status == 101) {
            throw new UnreachedException("answered " + status + reason(first) + " to CONNECT " + target);
        }
        return status;
    }

    private static String reason(Matcher first) {
        var text = first.group(2) == null ? "" : first.group(2).strip().replaceAll("[^ -~]", "?");
        return text.isEmpty() ? "" : " " + text.substring(0, Math.min(text.length(), MAX_REASON));
    }

    private void opened(ChannelHandlerContext context) {
        isOpen = true;
        if (!received.isReadable()) {
            context.pipeline().remove(this);
        }
        promise.trySuccess(context.channel());
    }

    /// Whoever asks for more gets first what came behind the head.
    @Override
    public void read(ChannelHandlerContext context) {
        if (isOpen) {
            context.executor().execute(() -> handOn(context));
        } else {
            context.read();
        }
    }

    private void handOn(ChannelHandlerContext context) {
        if (context.isRemoved()) {
            return;
        }
        var rest = received;
        received = Unpooled.EMPTY_BUFFER;
        context.fireChannelRead(rest);
        context.fireChannelReadComplete();
        context.pipeline().remove(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        received.release();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        promise.tryFailure(new UnreachedException("closed the connection without an answer to CONNECT " + target));
        if (isOpen) {
            handOn(context);
        }
        super.channelInactive(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!promise.tryFailure(new UnreachedException("broke off: " + Causes.words(cause)))) {
            context.fireExceptionCaught(cause);
        }
    }
}
