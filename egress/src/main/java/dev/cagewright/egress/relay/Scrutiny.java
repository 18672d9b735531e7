package dev.cagewright.egress.relay;

import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.HeadSize;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.inspect.Examination;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.egress.inspect.Message;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.scrutiny.HeldBody;
import dev.cagewright.egress.websocket.GuardedSocket;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Has one exchange looked at on its way: the request's head before anything is dialled; a short body whole before
/// anything is sent; a long one piece by piece; the answer's body where somebody looks at answers. For one event loop,
/// but for what says otherwise.
final class Scrutiny {
    /// A body of at most this known length is looked at whole first.
    static final int WHOLE = 64 * 1024;

    private final Conversation conversation;
    private final Inspection inspection;
    private final RequestHead head;
    private final Authority authority;
    private final HeldBody.Way way;
    private @Nullable HeldBody request;
    private @Nullable HeldBody answer;
    private boolean isWholeFirst;
    private boolean hadBody;

    /// @param way of the request's body
    Scrutiny(Conversation conversation, RequestHead head, Authority authority, HeldBody.Way way) {
        this.conversation = conversation;
        this.inspection = conversation.arrival().cage().inspection().get();
        this.head = head;
        this.authority = authority;
        this.way = way;
    }

    private HeldBody.Threads threads() {
        return new HeldBody.Threads(
                conversation.here().channel().eventLoop(),
                conversation.arrival().waiting());
    }

    /// Looks at the head of a request that is allowed: on the event loop if that takes little, otherwise on another
    /// thread, and nothing else is called meanwhile. What cannot be looked at stays.
    ///
    /// @param then hears what comes of it, on the event loop
    void look(Judging.Ruling ruling, Consumer<Judging.Ruling> then) {
        var threads = threads();
        if (isQuick()) {
            then.accept(looked(ruling));
            return;
        }
        threads.looking().execute(() -> {
            var looked = looked(ruling);
            threads.loop().execute(() -> then.accept(looked));
        });
    }

    private boolean isQuick() {
        return inspection.isIdle()
                || inspection.isQuick(
                        head.target().length() + HeadSize.of(head.fields().all()));
    }

    private Judging.Ruling looked(Judging.Ruling ruling) {
        if (inspection.isIdle() || !(ruling instanceof Judging.Ruling.Goes goes)) {
            return ruling;
        }
        try {
            return lookAt(goes);
        } catch (RuntimeException | Error _) {
            return stays(HeldBody.failure(Finding.Place.HEAD), goes.tally());
        }
    }

    private Judging.Ruling lookAt(Judging.Ruling.Goes goes) {
        var examination = inspection.examine(
                message(Message.Direction.REQUEST, head.fields().all()));
        var findings = new ArrayList<>(examination.head());
        if (conversation.isRequestDone()) {
            findings.addAll(endOf(examination, findings));
        } else {
            hold(examination);
        }
        length().flatMap(inspection::tooLong).ifPresent(findings::add);
        inspection.name(authority.host()).filter(Finding::blocks).ifPresent(findings::add);
        goes.tally().found(findings);
        return findings.stream()
                .filter(Finding::blocks)
                .findFirst()
                .<Judging.Ruling>map(finding -> stays(finding, goes.tally()))
                .orElse(goes);
    }

    /// There is no body: it is over as it begins.
    private static List<Finding> endOf(Examination examination, List<Finding> head) {
        try (examination) {
            return head.stream().anyMatch(Finding::blocks) ? List.of() : examination.end();
        }
    }

    private void hold(Examination examination) {
        isWholeFirst = length().filter(length -> length <= WHOLE).isPresent()
                && !head.fields().expectsContinue();
        request = new HeldBody(
                threads(), examination, isWholeFirst ? HeldBody.Pass.WHOLE_FIRST : HeldBody.Pass.AS_IT_IS_CLEARED, way);
    }

    private Message message(Message.Direction direction, HttpHeaders fields) {
        var credentials = conversation.arrival().cage().credentials();
        boolean isAnswer = direction == Message.Direction.ANSWER;
        var shown = isAnswer || credentials.isEmpty()
                ? fields.entries()
                : fields.entries().stream()
                        .map(field -> Map.entry(field.getKey(), credentials.masked(field.getValue())))
                        .toList();
        var target = credentials.masked(head.target());
        return new Message(direction, head.method(), authority.host().value(), authority.port(), target, shown);
    }

    private Optional<Long> length() {
        return Optional.ofNullable(head.fields().all().get(HttpHeaderNames.CONTENT_LENGTH))
                .map(Long::valueOf);
    }

    private static Judging.Ruling stays(Finding finding, Tally tally) {
        tally.answered(403);
        tally.end(new Traffic.End.Stopped(finding.kind()));
        return new Judging.Ruling.Stays(refusal(finding, tally));
    }

    static Refusal refusal(Finding finding, Tally tally) {
        return Refusal.stopped(finding.kind(), finding.key(), tally.decision());
    }

    /// Has the request's body to be looked at before there is anybody to send it to?
    boolean wantsWhole() {
        return isWholeFirst;
    }

    /// Takes the next piece of the request's body.
    void body(HttpContent content) {
        hadBody = true;
        if (request == null) {
            way.cleared(content);
        } else {
            request.next(content);
        }
    }

    /// There is somebody to send the whole body to.
    void passOn() {
        if (isWholeFirst && request != null) {
            isWholeFirst = false;
            request.passOn();
        }
    }

    /// Is a piece of the request with the inspectors?
    boolean isBusy() {
        return request != null && request.isBusy();
    }

    /// Has everything that came of the request gone on?
    boolean isDrained() {
        return request == null || request.isDrained();
    }

    boolean hadBody() {
        return hadBody;
    }

    /// An answer begins.
    ///
    /// @param back of its body
    void answer(HttpResponse answered, HeldBody.Way back) {
        if (inspection.looksAtAnswers()) {
            var examination = inspection.examine(message(Message.Direction.ANSWER, answered.headers()));
            answer = new HeldBody(threads(), examination, HeldBody.Pass.AS_IT_IS_CLEARED, back);
        }
    }

    /// Takes the next piece of the answer's body, if somebody looks at it; says whether it did.
    boolean takes(HttpContent content) {
        if (answer == null) {
            return false;
        }
        answer.next(content);
        return true;
    }

    /// Is a piece of the answer with the inspectors?
    boolean isAnswerBusy() {
        return answer != null && answer.isBusy();
    }

    /// Is some of the answer on its way yet?
    boolean hasAnswerLeft() {
        return answer != null && !answer.isDrained();
    }

    /// Are there messages of a WebSocket to come that somebody looks at?
    private boolean readsMessages() {
        return head.asksForWebSocket() && (!inspection.isIdle() || inspection.looksAtAnswers());
    }

    /// The request as it goes to the origin. An extension could pack messages so that nobody can look at them, so none
    /// is offered where somebody does.
    HttpRequest readable(HttpRequest composed) {
        if (readsMessages()) {
            composed.headers().remove(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
        }
        return composed;
    }

    /// From here on both channels carry frames of a WebSocket.
    void guard(Channel origin, Tally tally) {
        if (readsMessages()) {
            GuardedSocket.guard(conversation.here().channel(), origin, threads(), new Messages(tally));
        }
    }

    /// The messages of a WebSocket that began with this request, each a body of its own.
    private final class Messages implements GuardedSocket.Account {
        private final Tally tally;

        Messages(Tally tally) {
            this.tally = tally;
        }

        @Override
        public Optional<Examination> look(Message.Direction direction) {
            boolean isLookedAt =
                    direction == Message.Direction.REQUEST ? !inspection.isIdle() : inspection.looksAtAnswers();
            return isLookedAt
                    ? Optional.of(inspection.examine(message(direction, EmptyHttpHeaders.INSTANCE)))
                    : Optional.empty();
        }

        @Override
        public void found(List<Finding> findings) {
            tally.found(findings);
        }

        @Override
        public void ended(Traffic.End end) {
            tally.end(end);
        }
    }

    /// Nothing goes on any more.
    void close() {
        if (request != null) {
            request.close();
        }
        if (answer != null) {
            answer.close();
        }
    }
}
