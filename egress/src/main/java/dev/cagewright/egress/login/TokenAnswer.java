package dev.cagewright.egress.login;

import dev.cagewright.egress.inspect.Decoding;
import dev.cagewright.egress.inspect.UnreadableException;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Redactor;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Stands next to the origin for one exchange with a host where a client in the cage logs in: the answer is held until
/// all of it is there and its tokens are kept, and goes on with decoys in their places. One that is longer than
/// [#MOST], cannot be read, or has tokens elsewhere ends the exchange. Leaves the channel with the end of the answer.
/// For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class TokenAnswer extends ChannelDuplexHandler {
    /// The longest answer of a token end point, bytes.
    public static final int MOST = 256 * 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] BLANK = "-".repeat(HeldSecret.LEAST_DECOY).getBytes(StandardCharsets.US_ASCII);

    private final TokenSource source;
    private final Ward ward;
    private final Executor waiting;
    private final Redaction renewable;
    private final Redactor asked;
    private @Nullable HttpResponse head;
    private @Nullable Decoding decoding;
    private final Held held = new Held();
    private Step step = Step.HEAD;
    private @Nullable CompletableFuture<Kept> kept;
    private boolean isHead;

    /// How far the answer is.
    private enum Step {
        /// Nothing of it is there but perhaps interim answers.
        HEAD,
        /// Its body comes.
        BODY,
        /// It is longer than what has to be read, and goes on.
        PASSING,
        /// Its tokens are on their way to where they are kept.
        KEEPING,
        /// It went on, or ended.
        OVER
    }

    /// Who ends the exchange when it has to.
    @FunctionalInterface
    public interface Ward {
        /// The answer does not reach the cage.
        ///
        /// @param kind one word for records
        /// @param why one sentence
        void refused(String kind, String why);
    }

    /// @param waiting threads that may wait for the disk
    public TokenAnswer(TokenSource source, Ward ward, Executor waiting) {
        this.source = source;
        this.ward = ward;
        this.waiting = waiting;
        this.renewable = Redaction.of(source.renewable());
        this.asked = Redactor.ofText(renewable);
    }

    // towards the origin

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpRequest request) {
            isHead = request.method().equals(HttpMethod.HEAD);
            if (source.reading() == TokenSource.Reading.STRICT) {
                request.headers().set(HttpHeaderNames.ACCEPT_ENCODING, "identity");
                request.headers().remove(HttpHeaderNames.RANGE);
            }
        }
        if (message instanceof HttpContent content) {
            asked.next(ByteBufUtil.getBytes(content.content()));
        }
        context.write(message, promise);
    }

    // towards the cage

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (step == Step.OVER || step == Step.KEEPING) {
            ReferenceCountUtil.release(message);
            return;
        }
        try {
            switch (message) {
                case HttpResponse answer when answer.decoderResult().isSuccess() -> answered(context, answer);
                case HttpContent content when content.decoderResult().isSuccess() -> body(context, content);
                default -> context.fireChannelRead(message);
            }
        } catch (RefusedAnswerException e) {
            released(message);
            refused(e.kind(), e.why());
        } catch (UnreadableException _) {
            released(message);
            refused(
                    "coding",
                    "the answer of the token end point is in a coding that cannot be read here, so it is not passed on");
        }
    }

    private static void released(Object message) {
        if (ReferenceCountUtil.refCnt(message) > 0) {
            ReferenceCountUtil.release(message);
        }
    }

    private void refused(String kind, String why) {
        step = Step.OVER;
        held.wipe();
        ward.refused("login." + kind, why);
    }

    private void answered(ChannelHandlerContext context, HttpResponse answer)
            throws RefusedAnswerException, UnreadableException {
        int status = answer.status().code();
        boolean isStrict = source.reading() == TokenSource.Reading.STRICT;
        if (status == 101 && isStrict) {
            throw new RefusedAnswerException("unreadable", "the token end point switches to another protocol");
        }
        if (answer.status().codeClass() == HttpStatusClass.INFORMATIONAL && status != 101) {
            context.fireChannelRead(answer);
            return;
        }
        if (isStrict && answer.status().codeClass() == HttpStatusClass.REDIRECTION && status != 304) {
            throw new RefusedAnswerException(
                    "elsewhere", "the token end point leads elsewhere, and what it says there could not be kept");
        }
        boolean isEmpty = isHead || status == 204 || status == 304 || isWholeAndEmpty(answer);
        if (isEmpty || status == 101 || !reads(answer.headers())) {
            leave(context);
            context.fireChannelRead(answer);
            return;
        }
        decoding = Decoding.ofAnswer(String.join(",", answer.headers().getAll(HttpHeaderNames.CONTENT_ENCODING)));
        step = Step.BODY;
        head = answer;
        if (answer instanceof HttpContent content) {
            body(context, content);
        } else {
            context.read();
        }
    }

    private static boolean isWholeAndEmpty(HttpResponse answer) {
        return answer instanceof FullHttpResponse whole && !whole.content().isReadable();
    }

    /// Another answer than the token end point's is read where it may be one.
    private boolean reads(HttpHeaders fields) {
        if (source.reading() == TokenSource.Reading.STRICT) {
            return true;
        }
        var type = Kind.of(fields);
        var length = fields.get(HttpHeaderNames.CONTENT_LENGTH, "0");
        return (type == Kind.JSON || type == Kind.PAIRS) && length.matches("[0-9]{1,6}");
    }

    private void body(ChannelHandlerContext context, HttpContent content)
            throws RefusedAnswerException, UnreadableException {
        if (step == Step.HEAD) {
            context.fireChannelRead(content); // the end of an interim answer
            return;
        }
        var piece = ByteBufUtil.getBytes(content.content());
        var undone = decoding;
        if (undone != null) {
            undone.next(piece, 0, piece.length, (bytes, from, to) -> held.add(bytes, from, to));
        }
        boolean isLast = content instanceof LastHttpContent;
        if (isLast && undone != null) {
            undone.end();
        }
        if (held.isOver() && source.reading() == TokenSource.Reading.STRICT) {
            throw new RefusedAnswerException(
                    "too_long", "the answer of the token end point is longer than " + MOST + " bytes");
        }
        if (step == Step.PASSING || held.isOver()) {
            passOn(context, content);
        } else if (isLast) {
            content.release();
            whole(context);
        } else {
            content.release();
            context.read();
        }
    }

    /// A long answer of another end point goes on as it comes, decoded.
    private void passOn(ChannelHandlerContext context, HttpContent content) {
        if (step == Step.BODY && head != null) {
            step = Step.PASSING;
            decoded(head.headers());
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            context.fireChannelRead(head);
        }
        var free = Unpooled.wrappedBuffer(held.take());
        if (content instanceof LastHttpContent last) {
            leave(context);
            context.fireChannelRead(last.replace(free));
        } else {
            context.fireChannelRead(new DefaultHttpContent(free));
        }
        content.release();
    }

    private void decoded(HttpHeaders fields) {
        if (!(decoding instanceof Decoding.Plain)) {
            fields.remove(HttpHeaderNames.CONTENT_ENCODING);
        }
        fields.remove(HttpHeaderNames.ETAG);
        for (String digest : Set.of("digest", "content-digest", "repr-digest", "content-md5")) {
            fields.remove(digest);
        }
    }

    /// All of it is there.
    private void whole(ChannelHandlerContext context) throws RefusedAnswerException {
        var answer = head;
        if (answer == null) {
            throw new IllegalStateException("a body without a head");
        }
        var bytes = held.take();
        var kind = Kind.of(answer.headers());
        if (bytes.length == 0 || isNone(bytes, kind)) {
            goOn(context, answer, bytes);
            return;
        }
        var form = kind == Kind.PAIRS && !looksLikeJson(bytes) ? TokenText.Form.PAIRS : TokenText.Form.JSON;
        var text = TokenText.of(bytes, form, source);
        if (text.isEmpty()) {
            goOn(context, answer, bytes);
            return;
        }
        var tokens = text.tokens(form);
        try {
            requireNowhereElse(answer, text, tokens);
        } catch (RefusedAnswerException e) {
            close(text, tokens);
            throw e;
        }
        asked.end();
        step = Step.KEEPING;
        keep(context, new Found(answer, text, form, tokens), Set.copyOf(asked.names()));
    }

    /// Not the token end point's, and it cannot be read as what it says that it is: no client reads tokens in it.
    private boolean isNone(byte[] bytes, Kind kind) {
        return source.reading() == TokenSource.Reading.WATCHFUL
                && source.fields().stream().noneMatch(field -> has(bytes, field))
                && kind != Kind.OTHER;
    }

    private static boolean has(byte[] bytes, String field) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(field);
    }

    private static boolean looksLikeJson(byte[] bytes) {
        return new String(bytes, 0, Math.min(64, bytes.length), StandardCharsets.ISO_8859_1)
                .strip()
                .startsWith("{");
    }

    private record Found(HttpResponse answer, TokenText text, TokenText.Form form, Map<String, SecretValue> tokens) {}

    private static void close(TokenText text, Map<String, SecretValue> tokens) {
        tokens.values().forEach(SecretValue::close);
        text.wipe();
    }

    /// A token in a field, or once more in the body, in any spelling, would stay there.
    private static void requireNowhereElse(HttpResponse answer, TokenText text, Map<String, SecretValue> tokens)
            throws RefusedAnswerException {
        var secrets = new ArrayList<HeldSecret>();
        tokens.forEach((field, value) -> secrets.add(new HeldSecret(field, BLANK, value)));
        try (var redaction = Redaction.of(secrets)) {
            var redactor = Redactor.ofText(redaction);
            redactor.next(text.without(tokens.keySet()));
            redactor.end();
            boolean isInFields = answer.headers().entries().stream()
                    .anyMatch(field -> !redaction.field(field.getValue()).equals(field.getValue()));
            if (isInFields || !redactor.names().isEmpty()) {
                throw new RefusedAnswerException(
                        "elsewhere",
                        "the answer of the token end point has one of its tokens a second time, so it is not passed on");
            }
        }
    }

    /// What became of the tokens.
    ///
    /// @param body with decoys; empty if they were not kept
    private record Kept(HttpResponse answer, Optional<byte[]> body, String why) {}

    private void keep(ChannelHandlerContext context, Found found, Set<String> renewed) {
        var keeping = new CompletableFuture<Kept>();
        kept = keeping;
        try {
            waiting.execute(() -> {
                keeping.complete(kept(found, renewed));
                context.executor().execute(() -> settle(context, keeping.join()));
            });
        } catch (RejectedExecutionException _) {
            close(found.text(), found.tokens());
            refused("unkept", "the session ends, so the tokens of the log-in were not kept");
        }
    }

    /// On a thread that may wait.
    private Kept kept(Found found, Set<String> renewed) {
        try {
            var decoys = source.keep(found.tokens(), renewed);
            return new Kept(found.answer(), Optional.of(found.text().with(decoys, found.form())), "");
        } catch (IOException e) {
            return new Kept(found.answer(), Optional.empty(), ": " + e.getMessage());
        } catch (RuntimeException _) {
            return new Kept(found.answer(), Optional.empty(), "");
        } finally {
            close(found.text(), found.tokens());
        }
    }

    private void settle(ChannelHandlerContext context, Kept outcome) {
        if (step != Step.KEEPING) {
            return;
        }
        if (outcome.body().isPresent()) {
            goOn(context, outcome.answer(), outcome.body().get());
        } else {
            refused("unkept", "the tokens of the log-in could not be kept, so they are not passed on" + outcome.why());
        }
    }

    private void goOn(ChannelHandlerContext context, HttpResponse answer, byte[] body) {
        decoded(answer.headers());
        answer.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
        answer.headers().remove(HttpHeaderNames.TRAILER);
        answer.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        leave(context);
        context.fireChannelRead(answer);
        context.fireChannelRead(new DefaultLastHttpContent(Unpooled.wrappedBuffer(body)));
        context.fireChannelReadComplete();
    }

    /// The next exchange on this channel has one of its own.
    private void leave(ChannelHandlerContext context) {
        step = Step.OVER;
        context.pipeline().remove(this);
    }

    /// An origin that closes behind its answer does not take it back. Its channel is worth nothing behind this call, so
    /// the disk is waited for here.
    @Override
    public void channelInactive(ChannelHandlerContext context) {
        var keeping = kept;
        if (step == Step.KEEPING && keeping != null) {
            try {
                settle(context, keeping.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException | TimeoutException _) {
                refused("unkept", "the tokens of the log-in could not be kept in time, so they are not passed on");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (decoding != null) {
            decoding.close();
            decoding = null;
        }
        renewable.close();
    }
}
