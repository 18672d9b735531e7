package dev.cagewright.egress.visit;

import dev.cagewright.egress.desk.DeskReply;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.refusal.RefusalPage;
import dev.cagewright.egress.underway.Serving;
import dev.cagewright.policy.action.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One request to the desk: its body is read whole, within a bound and a time, the desk answers on a thread that may
/// wait, and what it says is sent. For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what is executed
public final class DeskVisit implements Serving {
    /// How long a body may take from the head to its end.
    private static final long MOST_SECONDS = 10;

    private static final String TOO_LONG = "the body is longer than " + DeskRequest.MOST_BODY + " bytes";

    private final PolicyDesk desk;
    private final RequestHead head;
    private final Client client;
    private final Visitors visitors;
    private final ExecutorService waiting;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable Future<?> deadline;
    private State state = State.OUTSIDE;

    private enum State {
        OUTSIDE,
        READING,
        ASKING,
        OVER
    }

    /// @param waiting threads that may wait
    public DeskVisit(PolicyDesk desk, RequestHead head, Client client, Visitors visitors, ExecutorService waiting) {
        this.desk = desk;
        this.head = head;
        this.client = client;
        this.visitors = visitors;
        this.waiting = waiting;
    }

    /// The other side of a visit.
    public interface Client {
        EventLoop loop();

        /// It may begin with its body, and is told so if it waits for that.
        void readBody();

        /// It may go on with its body.
        void readMore();

        /// From now on, something has to happen before long.
        void waitOn();

        /// Gets a whole answer; the visit is over.
        void answer(FullHttpResponse page);
    }

    @Override
    public void begin() {
        var later = visitors.enter();
        if (later.isPresent()) {
            over(() -> client.answer(tooMany(later.getAsInt())));
            return;
        }
        state = State.READING;
        if (head.fields().all().contains(HttpHeaderNames.CONTENT_ENCODING)) {
            refuse(415, "the body is encoded; send it as it is");
        } else if (announced() > DeskRequest.MOST_BODY) {
            refuse(413, TOO_LONG);
        } else {
            deadline = client.loop().schedule(this::tooSlow, MOST_SECONDS, TimeUnit.SECONDS);
            client.readBody();
        }
    }

    /// The length that the head says, which is a number by now; 0 where it says none.
    private long announced() {
        var length = head.fields().all().get(HttpHeaderNames.CONTENT_LENGTH, "0");
        return length.length() > 18 ? Long.MAX_VALUE : Long.parseLong(length);
    }

    private static FullHttpResponse tooMany(int seconds) {
        var page = problem(429, "too many requests; ask again in " + seconds + " s");
        page.headers().set(HttpHeaderNames.RETRY_AFTER, seconds);
        return page;
    }

    private static FullHttpResponse problem(int status, String why) {
        return RefusalPage.of(Refusal.atDesk(status, why), Optional.empty());
    }

    @Override
    public void body(HttpContent content) {
        try {
            if (state == State.READING) {
                take(content);
            }
        } finally {
            content.release();
        }
    }

    private void take(HttpContent content) {
        if (body.size() + content.content().readableBytes() > DeskRequest.MOST_BODY) {
            refuse(413, TOO_LONG);
            return;
        }
        body.writeBytes(bytes(content.content()));
        if (content instanceof LastHttpContent) {
            ask();
        } else {
            client.readMore();
        }
    }

    private static byte[] bytes(ByteBuf piece) {
        var copy = new byte[piece.readableBytes()];
        piece.getBytes(piece.readerIndex(), copy);
        return copy;
    }

    private void ask() {
        state = State.ASKING;
        cancelDeadline();
        client.waitOn();
        var types = head.fields().all().getAll(HttpHeaderNames.CONTENT_TYPE);
        var request = new DeskRequest(
                head.method(),
                head.path(),
                head.query(),
                types.size() == 1 ? Optional.of(types.getFirst()) : Optional.empty(),
                ByteString.copyOf(body.toByteArray()));
        try {
            waiting.execute(() -> answerOn(client.loop(), request));
        } catch (RejectedExecutionException _) {
            refuse(503, "the cage is about to end");
        }
    }

    private void answerOn(EventLoop loop, DeskRequest request) {
        var page = answer(request);
        try {
            loop.execute(() -> answered(page));
        } catch (RejectedExecutionException _) {
            page.release();
        }
    }

    private FullHttpResponse answer(DeskRequest request) {
        try {
            return page(desk.answer(request));
        } catch (RuntimeException | StackOverflowError _) {
            return problem(500, "the request could not be answered");
        }
    }

    private static FullHttpResponse page(DeskReply reply) {
        var text = Unpooled.wrappedBuffer(reply.json().getBytes(StandardCharsets.UTF_8));
        int length = text.readableBytes();
        var page = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()), text);
        reply.fields().forEach((name, value) -> page.headers().set(name, value));
        page.headers()
                .set(
                        HttpHeaderNames.CONTENT_TYPE,
                        reply.form() == DeskReply.Form.RESULT ? "application/json" : "application/problem+json")
                .set(HttpHeaderNames.CONTENT_LENGTH, length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
        return page;
    }

    private void answered(FullHttpResponse page) {
        if (state == State.OVER) {
            visitors.leave();
            page.release();
        } else {
            over(() -> client.answer(page));
        }
    }

    private void tooSlow() {
        if (state == State.READING) {
            refuse(408, "the body did not come within " + MOST_SECONDS + " s");
        }
    }

    private void refuse(int status, String why) {
        over(() -> client.answer(problem(status, why)));
    }

    private void over(Runnable last) {
        boolean isInside = state != State.OUTSIDE;
        state = State.OVER;
        cancelDeadline();
        if (isInside) {
            visitors.leave();
        }
        last.run();
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(/* mayInterruptIfRunning= */ false);
        }
    }

    @Override
    public void clientWritable() {
        // the answer is one piece
    }

    /// Whoever is at the desk stays inside until the desk is done with them.
    @Override
    public void clientGone(String why) {
        if (state == State.READING) {
            visitors.leave();
        }
        state = State.OVER;
        cancelDeadline();
    }

    @Override
    public void overdue() {
        if (state == State.READING) {
            refuse(408, "the body did not come in time");
        } else if (state == State.ASKING) {
            client.waitOn();
        }
    }

    @Override
    public boolean isHeadAnswered() {
        return false;
    }
}
