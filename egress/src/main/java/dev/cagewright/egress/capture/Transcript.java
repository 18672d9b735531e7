package dev.cagewright.egress.capture;

import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.Dialling;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// Follows one exchange and hands on what is kept of it. It copies what it keeps and owns no buffer of the exchange.
/// For
/// one event loop, but that others may [#mark]; cheap where nothing is kept.
public final class Transcript {
    /// Of an exchange that nothing is kept of.
    public static final Transcript NONE = new Transcript(Capture.NONE, "");

    private static final long LARGEST_MESSAGE = 1 << 20;

    private final Capture capture;
    private final String target;
    private final long number;
    private final long started = System.nanoTime();
    private final Instant at;
    private final Map<Moment, Duration> times = new EnumMap<>(Moment.class);
    private final Map<Way, Long> kept = new EnumMap<>(Way.class);
    private Spoken inside = Spoken.CLEAR_1;
    private Spoken outside = Spoken.CLEAR_1;
    private Dialling dialling = Dialling.STOOD;
    private long missing;
    private boolean isAsked;
    private boolean isEnded;

    private Transcript(Capture capture, String target) {
        this.capture = capture;
        this.target = target;
        this.number = capture.nextExchange();
        this.at = InstantSource.system().instant();
    }

    /// Begins as soon as a head is read; nothing is kept before it is [#asked].
    ///
    /// @param target of the request, as it was written
    public static Transcript begin(Capture capture, String target) {
        return capture.isOn() ? new Transcript(capture, target) : NONE;
    }

    /// Is anything kept?
    public boolean isKept() {
        return capture.isOn();
    }

    /// A step is reached; the first time counts. Safe for all threads that hand the exchange on.
    public void mark(Moment moment) {
        if (capture.isOn()) {
            synchronized (times) {
                times.putIfAbsent(moment, Duration.ofNanos(System.nanoTime() - started));
            }
        }
    }

    /// What the cage asked; the first time counts.
    ///
    /// @param authority whom it is for
    public void asked(RequestHead head, Authority authority, Spoken spoken) {
        if (capture.isOn() && !isAsked) {
            isAsked = true;
            inside = spoken;
            keep(new Piece.Asked(number, at, Heads.asked(head, authority, target, spoken)));
        }
    }

    /// It may go.
    public void allowed(String decision) {
        if (capture.isOn()) {
            keep(new Piece.Allowed(number, decision));
        }
    }

    /// What the gateway asks the origin.
    public void sent(RequestHead head, HttpRequest composed, Toward toward) {
        if (capture.isOn()) {
            mark(Moment.CONNECTED);
            outside = toward.spoken();
            dialling = toward.dialling();
            keep(new Piece.Sent(
                    number,
                    Heads.composed(head, toward.origin(), composed, outside),
                    toward.address(),
                    toward.connection()));
        }
    }

    /// The connection that a request goes over.
    ///
    /// @param address that was dialled
    /// @param connection its name among the gateway's
    public record Toward(Authority origin, String address, String connection, Spoken spoken, Dialling dialling) {}

    /// A piece of a body passes.
    public void body(Way way, HttpContent content) {
        if (!capture.isOn()) {
            return;
        }
        keepSome(way, content.content());
        if (content instanceof LastHttpContent last) {
            if (way == Way.REQUEST) {
                mark(Moment.SENT);
            }
            if (!last.trailingHeaders().isEmpty()) {
                keep(new Piece.Trailers(number, way, Unspoken.fields(last.trailingHeaders())));
            }
        }
    }

    private void keepSome(Way way, ByteBuf bytes) {
        long before = kept.getOrDefault(way, 0L);
        int size = (int) Math.min(bytes.readableBytes(), capture.bodyLimit() - before);
        if (size > 0) {
            kept.put(way, before + size);
            var copy = new byte[size];
            bytes.getBytes(bytes.readerIndex(), copy);
            keep(new Piece.Body(number, way, ByteBuffer.wrap(copy)));
        }
    }

    /// The origin answered.
    ///
    /// @param got from the origin
    /// @param told to the cage, framed
    public void answered(HttpResponse got, HttpResponse told) {
        if (capture.isOn()) {
            mark(Moment.SENT);
            mark(Moment.ANSWERED);
            keep(new Piece.Answered(number, Heads.answer(got, outside), Heads.answer(told, inside)));
        }
    }

    /// The gateway answers by itself.
    ///
    /// @param page is not released
    /// @param body of the page as the client gets it
    public void refused(Refusal refusal, HttpResponse page, ByteBuf body) {
        if (capture.isOn() && isAsked) {
            var bytes = new byte[body.readableBytes()];
            body.getBytes(body.readerIndex(), bytes);
            var now = InstantSource.system().instant();
            keep(new Piece.Refused(number, now, refusal, Heads.answer(page, inside), ByteBuffer.wrap(bytes)));
        }
    }

    /// A message of a WebSocket passed.
    void message(Way way, MessageReader.Message message) {
        var now = InstantSource.system().instant();
        keep(new Piece.Message(number, way, now, message.opcode(), message.form(), message.whole(), message.bytes()));
    }

    /// The most of one message that is kept, bytes: a message is one piece.
    long messageLimit() {
        return Math.min(capture.bodyLimit(), LARGEST_MESSAGE);
    }

    /// It is over; the first end counts.
    public void ended(Traffic traffic) {
        if (!capture.isOn() || isEnded) {
            return;
        }
        isEnded = true;
        mark(Moment.DONE);
        var sizes = new Piece.Sizes(traffic.sentBytes(), traffic.receivedBytes(), missing);
        synchronized (times) {
            keep(
                    switch (traffic.end()) {
                        case Traffic.End.Complete _ -> ended("complete", Optional.empty(), sizes);
                        case Traffic.End.Unreached(String why) -> ended("unreached", Optional.of(why), sizes);
                        case Traffic.End.Exhausted(String why) -> ended("exhausted", Optional.of(why), sizes);
                        case Traffic.End.Truncated(String why) -> ended("truncated", Optional.of(why), sizes);
                        case Traffic.End.Stopped(String kind) -> ended("stopped", Optional.of(kind), sizes);
                    });
        }
    }

    private Piece ended(String state, Optional<String> why, Piece.Sizes sizes) {
        return new Piece.Ended(number, state, why, sizes, times, dialling);
    }

    private void keep(Piece piece) {
        boolean isKept = capture.take(piece);
        if (!isKept && piece instanceof Piece.Content content) {
            missing += content.size();
        }
    }
}
