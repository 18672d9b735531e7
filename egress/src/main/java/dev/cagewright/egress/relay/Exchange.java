package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.capture.Moment;
import dev.cagewright.egress.capture.Transcript;
import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.HeadSize;
import dev.cagewright.egress.http.MalformedException;
import dev.cagewright.egress.http.OriginAnswer;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.scrutiny.HeldBody;
import dev.cagewright.egress.underway.Serving;
import dev.cagewright.egress.upstream.HttpPool.Lease;
import dev.cagewright.egress.upstream.Origin;
import dev.cagewright.policy.decision.Decision;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// One request, from its head to the end of its answer: judged, composed anew, sent, answered, put on record.
/// Bodies stream both ways, each as fast as the slower side. For one event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class Exchange implements Serving {
    private final Conversation conversation;
    private final RequestHead head;
    private final Authority authority;
    private final Judging.Standing standing;
    private final Transcript transcript;
    private final Scrutiny scrutiny;
    private final Errand errand;
    private @Nullable Tally tally;
    private @Nullable OriginSide upstream;
    private Judging.Ruling.@Nullable Goes whole;
    private boolean isHeadAnswered;
    private boolean isAnswered;
    private boolean isOver;

    Exchange(Conversation conversation, RequestHead head, Authority authority, Judging.Standing standing) {
        this.conversation = conversation;
        this.head = head;
        this.authority = authority;
        this.standing = standing;
        this.transcript = conversation.transcript();
        this.scrutiny = new Scrutiny(conversation, head, authority, new RequestBody());
        this.errand = new Errand(conversation, head, authority, this::stopped);
    }

    @Override
    public void begin() {
        var judging = new Judging(conversation.arrival(), head, authority, transcript);
        try {
            switch (standing) {
                case NAMED -> errand.judge(judging, ruling -> scrutiny.look(ruling, this::ruledSafely));
                case ELSEWHERE -> judging.judgeElsewhere(loop(), this::ruledSafely);
            }
        } catch (RejectedExecutionException _) {
            conversation.broken();
        }
    }

    private void ruledSafely(Judging.Ruling ruling) {
        try {
            ruled(ruling);
        } catch (RuntimeException e) {
            originFailed("the request could not be sent: " + e);
        }
    }

    private void ruled(Judging.Ruling ruling) {
        switch (ruling) {
            case Judging.Ruling.Stays(Refusal refusal) -> {
                errand.end(new Traffic.End.Unreached(refusal.detail()));
                if (!isOver) {
                    isOver = true;
                    conversation.refuse(refusal);
                }
            }
            case Judging.Ruling.Goes goes -> {
                tally = goes.tally();
                goes.tally().keptIn(transcript);
                if (isOver) {
                    end(new Traffic.End.Unreached("the client did not wait"));
                } else {
                    tally.onRevoked(why -> loop().execute(() -> revoked(why)));
                    goOn(goes);
                }
            }
        }
    }

    private void goOn(Judging.Ruling.Goes goes) {
        if (scrutiny.wantsWhole() && !conversation.isRequestDone()) {
            whole = goes;
            conversation.readMore();
        } else {
            dial(goes);
        }
    }

    private void dial(Judging.Ruling.Goes goes) {
        sendOver(conversation.arrival().desk().pool().acquire(goes.origin(), loop()), goes);
    }

    /// Another try on a connection that nobody has used: the kept one was closed before it said a word.
    void again(Judging.Ruling.Goes goes) {
        upstream = null;
        sendOver(conversation.arrival().desk().pool().acquireFresh(goes.origin(), loop()), goes);
    }

    private EventLoop loop() {
        return conversation.here().channel().eventLoop();
    }

    private void sendOver(Future<Lease> acquired, Judging.Ruling.Goes goes) {
        acquired.addListener((Future<Lease> done) -> {
            if (!done.isSuccess()) {
                unreached(String.valueOf(done.cause().getMessage()));
            } else if (isOver) {
                done.getNow().channel().close();
            } else {
                send(goes, done.getNow());
            }
        });
    }

    private void send(Judging.Ruling.Goes goes, Lease lease) {
        var request = scrutiny.readable(OriginRequest.compose(head, goes));
        var exhausted = goes.tally().beside(Budgets.Way.SENT, HeadSize.of(request));
        if (exhausted.isPresent()) {
            lease.channel().close();
            exhausted(exhausted.get());
            return;
        }
        goes.tally().reached(lease.address());
        var side = new OriginSide(this, lease, goes);
        upstream = side;
        errand.install(lease);
        lease.channel().pipeline().addLast(side);
        if (transcript.isKept()) {
            transcript.sent(head, request, side.toward());
        }
        side.send(request);
        scrutiny.passOn();
        conversation.readMore();
    }

    /// Can the request be sent once more without harm?
    boolean isRepeatable() {
        return switch (head.method()) {
            case "GET", "HEAD", "OPTIONS" -> conversation.isRequestDone() && !isHeadAnswered && !scrutiny.hadBody();
            default -> false;
        };
    }

    /// The request went as a head alone.
    void wholeSent() {
        transcript.mark(Moment.SENT);
    }

    // what the client sends

    @Override
    public void body(HttpContent content) {
        if (upstream == null && whole == null) {
            // the end of a request without a body; with one, it is not read before there is somebody to send it to
            content.release();
            return;
        }
        scrutiny.body(content);
    }

    /// What the inspectors say of the request's body.
    private final class RequestBody implements HeldBody.Way {
        @Override
        public void found(List<Finding> findings) {
            tally().found(findings);
        }

        @Override
        public void cleared(HttpContent content) {
            if (isOver || upstream == null) {
                content.release();
                return;
            }
            var exhausted = tally().piece(Budgets.Way.SENT, content);
            if (exhausted.isPresent()) {
                content.release();
                exhausted(exhausted.get());
            } else {
                transcript.body(Way.REQUEST, content);
                upstream.sendBody(content);
            }
        }

        @Override
        public void wholeCleared() {
            if (whole != null) {
                dial(whole);
            }
        }

        @Override
        public void stopped(Finding finding) {
            stop(finding);
        }

        @Override
        public void wantsMore() {
            conversation.readMore();
        }
    }

    /// What the inspectors say of the answer's body.
    private final class AnswerBody implements HeldBody.Way {
        @Override
        public void found(List<Finding> findings) {
            tally().found(findings);
        }

        @Override
        public void cleared(HttpContent content) {
            if (isOver) {
                content.release();
                return;
            }
            boolean isLast = content instanceof LastHttpContent;
            boolean takesMore = write(content);
            if (isOver) {
                return;
            }
            if (isLast) {
                finish();
            } else if (takesMore) {
                wantsMore();
            }
        }

        @Override
        public void wholeCleared() {}

        @Override
        public void stopped(Finding finding) {
            stop(finding);
        }

        @Override
        public void wantsMore() {
            if (upstream != null) {
                upstream.readOn();
            }
        }
    }

    private void stop(Finding finding) {
        stopped(Scrutiny.refusal(finding, tally()), new Traffic.End.Stopped(finding.kind()));
    }

    /// The origin takes more.
    void originWritable() {
        if (!scrutiny.isBusy()) {
            conversation.readMore();
        }
    }

    @Override
    public void clientWritable() {
        if (upstream != null && !scrutiny.isAnswerBusy()) {
            upstream.readOn();
        }
    }

    @Override
    public void clientGone(String why) {
        if (!isOver) {
            end(new Traffic.End.Truncated(why));
            if (upstream != null) {
                upstream.close();
            }
        }
    }

    @Override
    public void overdue() {
        if (isOver) {
            return;
        }
        if (tally == null) {
            conversation.waitOn(); // whoever judges has a deadline of its own
        } else {
            originFailed("nothing was said for too long");
        }
    }

    // what the origin answers

    /// An interim answer, RFC 9110 section 15.2; a client of HTTP/1.0 knows none.
    void interim(HttpResponse answer) {
        conversation.progress();
        if (isBeyond(answer)) {
            return;
        }
        if (!head.fields().version().equals(HttpVersion.HTTP_1_0)) {
            conversation.here().writeAndFlush(OriginAnswer.interim(answer));
        }
    }

    void answerHead(HttpResponse answer) throws MalformedException {
        answer(answer, OriginAnswer.compose(answer));
    }

    /// An answer that is only a head: it stays one message, for what stands in it may be meant as its
    /// trailers.
    void answerWhole(FullHttpResponse answer) throws MalformedException {
        answer(answer, OriginAnswer.composeWhole(answer));
    }

    private void answer(HttpResponse answer, HttpResponse composed) {
        if (isBeyond(answer)) {
            return;
        }
        isHeadAnswered = true;
        scrutiny.answer(answer, new AnswerBody());
        conversation.progress();
        tally().answered(answer.status().code());
        var ending = OriginAnswer.ending(head, answer);
        var wire = conversation.wire();
        wire.frame(composed, head, ending);
        if (wire.mustCloseAfter(composed, head, ending) || !conversation.isRequestDone()) {
            conversation.close();
        }
        wire.tellConnection(composed, head, conversation.after());
        transcript.answered(answer, composed);
        conversation.here().writeAndFlush(composed);
    }

    /// Passes a piece of the body on.
    ///
    /// @return whether the client takes more
    boolean answerBody(HttpContent content) {
        conversation.progress();
        return !scrutiny.takes(content) && write(content);
    }

    private boolean write(HttpContent content) {
        var exhausted = tally().piece(Budgets.Way.RECEIVED, content);
        if (exhausted.isPresent()) {
            content.release();
            exhausted(exhausted.get());
            return false;
        }
        transcript.body(Way.ANSWER, content);
        conversation.here().writeAndFlush(content);
        return conversation.here().channel().isWritable();
    }

    /// The answer came whole, and the origin's channel is on its way to somebody else.
    void answered() {
        isAnswered = true;
        finish();
    }

    private void finish() {
        if (!isAnswered || scrutiny.hasAnswerLeft()) {
            return;
        }
        end(new Traffic.End.Complete());
        conversation.finished();
    }

    /// The origin has agreed to another protocol: from here on, bytes.
    void switched(HttpResponse answer, Lease lease) throws MalformedException {
        if (isBeyond(answer)) {
            return;
        }
        isHeadAnswered = true;
        isOver = true;
        tally().answered(answer.status().code());
        WebSocketPassage.begin(conversation, answer, lease, tally(), scrutiny);
    }

    /// There is no answer, or not all of it.
    void originFailed(String why) {
        if (isOver) {
            return;
        }
        if (upstream != null) {
            upstream.close();
        }
        if (isHeadAnswered) {
            end(new Traffic.End.Truncated(why));
            conversation.broken();
        } else {
            unreached(why);
        }
    }

    /// Does the head of an answer find no budget left? Then the exchange is over.
    private boolean isBeyond(HttpResponse answer) {
        var exhausted = tally().beside(Budgets.Way.RECEIVED, HeadSize.of(answer));
        exhausted.ifPresent(this::exhausted);
        return exhausted.isPresent();
    }

    /// A budget does not let the next piece pass: it ends here, and not as if it were whole.
    private void exhausted(Decision.Deny deny) {
        stopped(Refusal.stopped(deny, tally().decision()), new Traffic.End.Exhausted(deny.detail()));
    }

    /// The policy was changed, and does not allow this any longer.
    private void revoked(Decision.Deny deny) {
        stopped(Refusal.stopped(deny, tally().decision()), Traffic.End.revoked(deny));
    }

    private void stopped(Refusal refusal, Traffic.End end) {
        if (isOver) {
            return;
        }
        if (upstream != null) {
            upstream.close();
        }
        if (isHeadAnswered) {
            end(end);
            conversation.broken();
        } else {
            tally().answered(refusal.status());
            end(end);
            conversation.refuse(refusal);
        }
    }

    private void unreached(String why) {
        if (!isOver) {
            tally().answered(502);
            end(new Traffic.End.Unreached(why));
            conversation.refuse(Refusal.unreached(why, tally().decision()));
        }
    }

    private void end(Traffic.End how) {
        isOver = true;
        scrutiny.close();
        if (tally != null) {
            tally.end(how);
        }
        errand.end(how);
    }

    /// Keeps the channel for the next request.
    void giveBack(Origin origin, Lease lease) {
        conversation.arrival().desk().pool().giveBack(origin, lease);
    }

    /// Has it ended, whoever ended it?
    boolean isOver() {
        return isOver;
    }

    @Override
    public boolean isHeadAnswered() {
        return isHeadAnswered;
    }

    /// Has everything been sent that there is of the request?
    boolean isRequestDone() {
        return conversation.isRequestDone() && scrutiny.isDrained();
    }

    RequestHead head() {
        return head;
    }

    /// Whom it is for.
    Authority authority() {
        return authority;
    }

    private Tally tally() {
        if (tally == null) {
            throw new IllegalStateException("request is not judged yet");
        }
        return tally;
    }
}
