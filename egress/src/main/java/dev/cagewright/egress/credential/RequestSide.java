package dev.cagewright.egress.credential;

import dev.cagewright.policy.action.Action;
import dev.cagewright.secrets.redact.Patterns;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One request on its way out, once the values are in its head. A body that may change, or is signed, and has a short
/// known length is held whole, so that its new length can be said; a longer one that may change goes in chunks. For one
/// event loop.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
final class RequestSide {
    /// A body of at most this length is held whole.
    static final int WHOLE = 256 * 1024;

    /// More than this does not wait for a judgement.
    private static final int MOST_WAITING = 1 << 20;

    private static final byte[] NOTHING = {};

    private final Handover handover;
    private final Swap.Ward ward;
    private final ChannelHandlerContext context;
    private final Set<Integer> granted = new HashSet<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final ByteArrayOutputStream asked = new ByteArrayOutputStream(0);
    private final Outgoing outgoing;
    private final boolean mayChange;
    private Optional<Signing> signing = Optional.empty();
    private @Nullable Waiting held;
    private int judgements;
    private long waitingBytes;

    /// A message that is not written yet.
    private record Waiting(Object message, ChannelPromise promise) {}

    /// @param fields of the request
    /// @throws MisusedException if its body cannot be read, and a secret may stand in it
    RequestSide(Handover handover, Swap.Ward ward, ChannelHandlerContext context, HttpHeaders fields)
            throws MisusedException {
        this.handover = handover;
        this.ward = ward;
        this.context = context;
        this.outgoing = new Outgoing(handover, fields);
        this.mayChange = hasBody(fields) && outgoing.mayChange();
    }

    /// Takes the head.
    ///
    /// @param before with decoys
    /// @param after with values; owned by this from now on
    /// @throws MisusedException if it is signed, and cannot be signed anew
    void head(HttpRequest before, HttpRequest after, ChannelPromise promise) throws MisusedException {
        var fields = after.headers();
        signing = Signing.of(handover, before);
        boolean wantsBody =
                hasBody(fields) && signing.filter(Signing::wantsBody).isPresent();
        boolean isShort = isShort(fields);
        if (wantsBody && !isShort) {
            throw new MisusedException(signing.orElseThrow().misuse("its body is signed, and too long to be held"));
        }
        var head = new Waiting(after, promise);
        if (wantsBody || (mayChange && isShort)) {
            held = head;
            return;
        }
        if (mayChange) {
            fields.remove(HttpHeaderNames.CONTENT_LENGTH);
            fields.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        sign(after, NOTHING);
        waiting.addLast(head);
        goOn();
    }

    private static boolean hasBody(HttpHeaders fields) {
        return fields.contains(HttpHeaderNames.TRANSFER_ENCODING)
                || !fields.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
    }

    private static boolean isShort(HttpHeaders fields) {
        var length = fields.get(HttpHeaderNames.CONTENT_LENGTH, "");
        return length.matches("[0-9]{1,6}")
                && Integer.parseInt(length) <= WHOLE
                && !fields.contains(HttpHeaderNames.EXPECT);
    }

    /// Takes the next piece, which it owns from now on.
    ///
    /// @throws MisusedException if there is a decoy that may not be there
    void body(HttpContent content, ChannelPromise promise) throws MisusedException {
        byte[] free;
        try {
            free = swapped(content);
        } catch (MisusedException e) {
            content.release();
            throw e;
        }
        if (mayChange) {
            var piece = Unpooled.wrappedBuffer(free);
            write(
                    content instanceof LastHttpContent last ? last.replace(piece) : new DefaultHttpContent(piece),
                    promise);
            content.release();
        } else {
            write(content, promise); // where nothing may be put in, no piece is cut
        }
        judge(outgoing.takeUses());
        goOn();
    }

    private byte[] swapped(HttpContent content) throws MisusedException {
        var bytes = ByteBufUtil.getBytes(content.content());
        if (held != null && signing.isPresent()) {
            asked.writeBytes(bytes);
        }
        if (content instanceof LastHttpContent last) {
            outgoing.requireClean(last.trailingHeaders());
            return outgoing.next(bytes, Patterns.Rest.ENDS);
        }
        return outgoing.next(bytes, Patterns.Rest.MORE_COMES);
    }

    private void write(HttpContent piece, ChannelPromise promise) throws MisusedException {
        waiting.addLast(new Waiting(piece, promise));
        waitingBytes += piece.content().readableBytes();
        var head = held;
        if (head != null && piece instanceof LastHttpContent) {
            held = null;
            whole((HttpRequest) head.message());
            waiting.addFirst(head);
        }
    }

    /// All of the body is there: its length is what it has become.
    private void whole(HttpRequest head) throws MisusedException {
        if (mayChange) {
            head.headers().set(HttpHeaderNames.CONTENT_LENGTH, waitingBytes);
        }
        var body = new ByteArrayOutputStream((int) waitingBytes);
        waiting.forEach(piece -> body.writeBytes(ByteBufUtil.getBytes(((HttpContent) piece.message()).content())));
        sign(head, body.toByteArray());
    }

    private void sign(HttpRequest head, byte[] body) throws MisusedException {
        if (signing.isEmpty()) {
            return;
        }
        var secret = signing.get().secret(asked.toByteArray());
        if (secret.isPresent()) {
            judge(new HashSet<>(Set.of(secret.getAsInt())));
            signing.get().sign(head, body);
        }
    }

    private void judge(Set<Integer> used) {
        used.removeAll(granted);
        List<Action.SecretUse> uses = used.stream()
                .map(handover::use)
                .filter(use -> !handover.uses().contains(use))
                .toList();
        granted.addAll(used);
        if (!uses.isEmpty()) {
            judgements++;
            ward.judge(uses, this::granted);
        }
    }

    private void granted() {
        judgements--;
        goOn();
        context.flush();
    }

    private void goOn() {
        if (judgements > 0 && waitingBytes > MOST_WAITING) {
            ward.misused(Misuse.elsewhere(
                    "", "decoys.waiting", "more of the body came than can wait until its secrets are judged"));
            return;
        }
        while (judgements == 0 && held == null && !waiting.isEmpty()) {
            var next = waiting.removeFirst();
            if (next.message() instanceof HttpContent piece) {
                waitingBytes -= piece.content().readableBytes();
            }
            context.write(next.message(), next.promise());
        }
    }

    void close() {
        outgoing.close();
        waiting.forEach(each -> ReferenceCountUtil.release(each.message()));
        waiting.clear();
        held = null;
    }
}
