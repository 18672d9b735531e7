package dev.cagewright.egress.credential;

import dev.cagewright.egress.inspect.UnreadableException;
import dev.cagewright.policy.action.Action;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Stands between an exchange and the origin's channel for as long as the exchange lasts: decoys become values in what
/// goes out, values become decoys in what comes back, and the exchange itself sees decoys only. Leaves the channel with
/// the end of the answer. For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class Swap extends ChannelDuplexHandler {
    private static final int SWITCHING = 101;

    private final Handover handover;
    private final Ward ward;
    private final Set<String> redacted = new TreeSet<>();
    private @Nullable RequestSide asking;
    private @Nullable AnswerBody body;
    private @Nullable Messages messages;
    private boolean isInterim;
    private boolean isHead;

    /// Whose secrets they are, and who ends the exchange when it has to.
    public interface Ward {
        /// A decoy is in the body, and may not be: the exchange is over.
        void misused(Misuse misuse);

        /// A body uses secrets that were not judged with the head.
        ///
        /// @param granted is run on the event loop if all of them may be used; otherwise never
        void judge(List<Action.SecretUse> uses, Runnable granted);

        /// The origin has agreed to a WebSocket, which lives as long as the channel.
        void switched(Channel channel);

        /// Values were in the answer.
        ///
        /// @param secrets their names
        void redacted(Set<String> secrets);
    }

    public Swap(Handover handover, Ward ward) {
        this.handover = handover;
        this.ward = ward;
    }

    // towards the origin

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        try {
            switch (message) {
                case HttpRequest request -> ask(context, request, promise);
                case HttpContent content -> asking(context).body(content, promise);
                case ByteBuf bytes
                when messages != null -> {
                    messages.asked(ByteBufUtil.getBytes(bytes));
                    context.write(bytes, promise);
                }
                default -> context.write(message, promise);
            }
        } catch (IOException e) {
            ReferenceCountUtil.release(message);
            promise.tryFailure(e);
            context.close();
        } catch (MisusedException e) {
            if (message instanceof ByteBuf bytes) {
                bytes.release();
            }
            promise.tryFailure(e);
            ward.misused(e.misuse());
            if (messages != null) {
                context.close();
            }
        }
    }

    private void ask(ChannelHandlerContext context, HttpRequest request, ChannelPromise promise)
            throws MisusedException {
        isHead = request.method().equals(HttpMethod.HEAD);
        var injected = handover.inject(request);
        Answers.narrow(injected.headers());
        var side = new RequestSide(handover, ward, context, injected.headers());
        asking = side;
        side.head(request, injected, promise);
    }

    private RequestSide asking(ChannelHandlerContext context) {
        if (asking == null) {
            throw new IllegalStateException("a body without a head on " + context.channel());
        }
        return asking;
    }

    // towards the cage

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            switch (message) {
                case HttpResponse answer when answer.decoderResult().isSuccess() -> answered(context, answer);
                case HttpContent content when content.decoderResult().isSuccess() -> body(context, content);
                case ByteBuf bytes when messages != null -> said(context, bytes, messages);
                default -> context.fireChannelRead(message);
            }
        } catch (UnreadableException _) {
            ReferenceCountUtil.release(message);
            context.fireExceptionCaught(new UnreadableAnswerException());
        }
    }

    private void answered(ChannelHandlerContext context, HttpResponse answer) throws UnreadableException {
        saw(Answers.redact(answer, handover.credentials().redaction()));
        if (answer.status().code() == SWITCHING) {
            messages = new Messages(handover, handover.credentials().redaction());
            ward.switched(context.channel());
            context.fireChannelRead(answer);
            return;
        }
        if (answer.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            isInterim = true;
            context.fireChannelRead(answer);
            return;
        }
        isInterim = false;
        begin(answer);
        if (answer instanceof FullHttpResponse whole) {
            saw(Answers.redact(whole.trailingHeaders(), handover.credentials().redaction()));
            leave(context);
        }
        context.fireChannelRead(answer);
    }

    private void said(ChannelHandlerContext context, ByteBuf bytes, Messages from) {
        try {
            var free = from.said(ByteBufUtil.getBytes(bytes));
            bytes.release();
            if (free.length == 0) {
                context.read();
            } else {
                context.fireChannelRead(Unpooled.wrappedBuffer(free));
            }
        } catch (IOException e) {
            bytes.release();
            context.fireExceptionCaught(e);
        }
    }

    /// What is held at the end goes before the end does.
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            flushHeld(context);
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        flushHeld(context);
        context.fireChannelInactive();
    }

    private void flushHeld(ChannelHandlerContext context) {
        if (messages == null) {
            return;
        }
        var rest = messages.end();
        redacted.addAll(messages.names());
        if (rest.length > 0) {
            context.fireChannelRead(Unpooled.wrappedBuffer(rest));
        }
        tellRedacted();
    }

    private void tellRedacted() {
        if (!redacted.isEmpty()) {
            ward.redacted(redacted);
            redacted.clear();
        }
    }

    private void begin(HttpResponse answer) throws UnreadableException {
        boolean isKnown = handover.carries() || handover.credentials().isKnown(handover.request());
        if (isKnown) {
            Answers.leaveDigestsOut(answer.headers());
        }
        int status = answer.status().code();
        if (!isHead && status != 204 && status != 304 && !(answer instanceof FullHttpResponse)) {
            var care = isKnown ? AnswerBody.Care.STRICT : AnswerBody.Care.LENIENT;
            body = AnswerBody.begin(answer.headers(), handover.credentials().redaction(), care);
        }
    }

    private void body(ChannelHandlerContext context, HttpContent content) throws UnreadableException {
        if (body == null || isInterim) {
            if (content instanceof LastHttpContent && !isInterim && messages == null) {
                leave(context);
            }
            isInterim = false;
            context.fireChannelRead(content);
            return;
        }
        if (content instanceof LastHttpContent last) {
            last(context, last, body);
            return;
        }
        var free = body.next(ByteBufUtil.getBytes(content.content()));
        content.release();
        if (free.length == 0) {
            context.read();
        } else {
            context.fireChannelRead(new DefaultHttpContent(Unpooled.wrappedBuffer(free)));
        }
    }

    private void last(ChannelHandlerContext context, LastHttpContent last, AnswerBody whole)
            throws UnreadableException {
        var free = whole.next(ByteBufUtil.getBytes(last.content()));
        var rest = whole.end();
        redacted.addAll(whole.names());
        var trailers = last.trailingHeaders();
        if (!trailers.isEmpty()) {
            saw(Answers.redact(trailers, handover.credentials().redaction()));
        }
        leave(context);
        context.fireChannelRead(last.replace(Unpooled.wrappedBuffer(free, rest)));
        last.release();
    }

    private void saw(boolean any) {
        if (any) {
            redacted.add("");
        }
    }

    /// The next exchange on this channel has a swap of its own.
    private void leave(ChannelHandlerContext context) {
        tellRedacted();
        context.pipeline().remove(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (body != null) {
            body.close();
        }
        if (asking != null) {
            asking.close();
        }
    }

    /// It cannot be seen whether values are in it.
    static final class UnreadableAnswerException extends IOException {
        private static final long serialVersionUID = 1;

        UnreadableAnswerException() {
            super("the upstream's answer is in a coding that cannot be read here, and it may hold a secret");
        }
    }
}
