package dev.cagewright.egress.relay;

import dev.cagewright.egress.capture.Spoken;
import dev.cagewright.egress.http.OneByOne;
import dev.cagewright.egress.http.OriginAnswer.Ending;
import dev.cagewright.egress.http.RequestDecoder;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.refusal.Abort;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.flush.FlushConsolidationHandler;
import org.jspecify.annotations.Nullable;

/// What a client speaks, and how an answer goes to it.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
enum Wire {
    /// HTTP/1 as it is.
    CLEAR_1,
    /// HTTP/1 in TLS.
    OPENED_1,
    /// One stream of HTTP/2 in TLS.
    STREAM_2;

    /// The head of an answer and what follows at once go as one piece; more flushes than this are not held back.
    private static final int MOST_FLUSHES = 32;

    /// Puts a conversation in HTTP/1 in the place of `front`, whose bytes it gets.
    static void install(ChannelHandlerContext context, ChannelHandler front, Conversation conversation) {
        var pipeline = context.pipeline();
        context.channel().config().setAutoRead(false);
        addHttp1(pipeline, conversation);
        pipeline.remove(front);
    }

    private static void addHttp1(ChannelPipeline pipeline, Conversation conversation) {
        pipeline.addLast(new FlushConsolidationHandler(MOST_FLUSHES, /* consolidateWhenNoReadInProgress= */ true));
        pipeline.addLast(new RequestDecoder(), new HttpResponseEncoder(), OneByOne.ahead(), conversation);
    }

    /// Is the other end in TLS?
    boolean isTls() {
        return this != CLEAR_1;
    }

    /// The same for what is kept.
    Spoken spoken() {
        return switch (this) {
            case CLEAR_1 -> Spoken.CLEAR_1;
            case OPENED_1 -> Spoken.TLS_1;
            case STREAM_2 -> Spoken.TLS_2;
        };
    }

    /// Prepares the framing of an answer: how it ends for this client.
    ///
    /// @param head of the request; null where it could not be read
    void frame(HttpResponse answer, @Nullable RequestHead head, Ending ending) {
        var fields = answer.headers();
        boolean isOld = head != null && head.fields().version().equals(HttpVersion.HTTP_1_0);
        boolean hasLength = fields.contains(HttpHeaderNames.CONTENT_LENGTH);
        if (this == STREAM_2) {
            return;
        }
        if (ending == Ending.WITH_BODY && !hasLength && !isOld) {
            fields.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
    }

    /// Is there no other way to end a body of unknown length than to close?
    boolean mustCloseAfter(HttpResponse answer, RequestHead head, Ending ending) {
        return this != STREAM_2
                && ending == Ending.WITH_BODY
                && head.fields().version().equals(HttpVersion.HTTP_1_0)
                && !answer.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
    }

    /// What comes behind a whole answer.
    enum After {
        GOES_ON,
        CLOSES
    }

    /// Says whether the connection goes on.
    void tellConnection(HttpResponse answer, @Nullable RequestHead head, After after) {
        if (this == STREAM_2) {
            return;
        }
        if (after == After.CLOSES) {
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (head != null && head.fields().version().equals(HttpVersion.HTTP_1_0)) {
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    /// Sends a whole answer of our own.
    void answer(ChannelHandlerContext context, @Nullable RequestHead head, FullHttpResponse page, After after) {
        tellConnection(page, head, after);
        if (head != null && head.method().equals("HEAD")) {
            page.content().clear();
        }
        context.writeAndFlush(page);
    }

    /// Tells a client whose answer is whole that the rest of its request is not wanted.
    void declineRest(ChannelHandlerContext context) {
        if (this == STREAM_2) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        } else {
            context.read();
        }
    }

    /// Ends an answer that is not whole.
    void abort(ChannelHandlerContext context) {
        if (this == STREAM_2) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            context.close();
        } else {
            Abort.reset(context.channel());
        }
    }
}
