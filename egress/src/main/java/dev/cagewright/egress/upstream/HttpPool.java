package dev.cagewright.egress.upstream;

import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.OneByOne;
import dev.cagewright.egress.http2.ClientStreams;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.tls.TlsClients;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connections of one cage to origins that speak HTTP, for one request after the other, or for many at once
/// in HTTP/2. A connection stays on the event loop of the connection that it serves. Safe for all threads.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class HttpPool {
    /// Shorter than servers wait, so that a request is not sent into a connection that is being closed.
    private static final Duration KEPT = Duration.ofSeconds(4);

    private static final int MAX_KEPT = 32;

    private final Dialer dialer;
    private final ConcurrentHashMap<Slot, Shelf> slots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Slot, Shared> connections = new ConcurrentHashMap<>();

    /// Who waits for a connection that is being made and may speak HTTP/2.
    private final ConcurrentHashMap<Slot, Deque<Waiting>> awaited = new ConcurrentHashMap<>();

    public HttpPool(Dialer dialer) {
        this.dialer = dialer;
    }

    /// Connections that may stand in for each other; only their event loop looks.
    private record Slot(EventLoop loop, Authority named, Origin.Security security) {
        boolean offersHttp2() {
            return security instanceof Origin.Security.Tls tls && tls.offer() == TlsClients.Offer.HTTP_2_OR_1;
        }
    }

    /// A connection in HTTP/2.
    private record Shared(ClientStreams streams, String address) {}

    /// @param way under which it was made or taken
    /// @param since by [System#nanoTime]
    private record Kept(Lease lease, Destination.Dialable way, long since) {}

    /// What is kept for one slot, the oldest first. For its event loop.
    private static final class Shelf {
        final Deque<Kept> kept = new ArrayDeque<>();
        boolean isWatched;
    }

    /// A channel that takes one request. Its pipeline ends in a message codec and reads only when it is asked
    /// to.
    ///
    /// @param address where it leads
    /// @param dialling what was waited for it
    public record Lease(Channel channel, String address, Freshness freshness, Dialling dialling) {}

    /// Has it served before? Then the origin may have closed it meanwhile.
    public enum Freshness {
        NEW,
        USED
    }

    /// A request that waits for a connection which is being made and may take it, too.
    private record Waiting(Origin origin, Promise<Lease> promise) {}

    /// A channel to `origin` on `loop`, whose thread calls this.
    ///
    /// @return fails with an [UnreachedException]
    public Future<Lease> acquire(Origin origin, EventLoop loop) {
        Promise<Lease> promise = loop.newPromise();
        acquire(origin, new Slot(loop, origin.named(), origin.security()), promise);
        return promise;
    }

    private void acquire(Origin origin, Slot slot, Promise<Lease> promise) {
        var shared = connections.get(slot);
        if (shared != null && shared.streams().takesMore() && isJudged(origin, shared.address())) {
            open(shared, Dialling.STOOD, promise);
            return;
        }
        var kept = takeKept(origin, slot);
        var others = awaited.get(slot);
        if (kept != null) {
            promise.setSuccess(kept);
        } else if (others != null) {
            others.addLast(new Waiting(origin, promise));
        } else {
            fresh(origin, slot, promise);
        }
    }

    /// The same, and never one that has served before.
    public Future<Lease> acquireFresh(Origin origin, EventLoop loop) {
        Promise<Lease> promise = loop.newPromise();
        fresh(origin, new Slot(loop, origin.named(), origin.security()), promise);
        return promise;
    }

    private void fresh(Origin origin, Slot slot, Promise<Lease> promise) {
        boolean isAwaited = slot.offersHttp2() && awaited.putIfAbsent(slot, new ArrayDeque<>()) == null;
        long begun = System.nanoTime();
        dialer.connect(origin, slot.loop()).addListener((Future<Dialer.Connected> dialled) -> {
            var others = isAwaited ? awaited.remove(slot) : null;
            if (dialled.isSuccess()) {
                var waited = Optional.of(Duration.ofNanos(System.nanoTime() - begun));
                var dialling = new Dialling(waited, dialled.getNow().tls());
                stands(dialled.getNow(), dialling, slot, promise);
            } else {
                promise.tryFailure(dialled.cause());
            }
            if (others != null) {
                others.forEach(other -> afterOther(other, slot, origin, dialled));
            }
        });
    }

    private void stands(Dialer.Connected connected, Dialling dialling, Slot slot, Promise<Lease> promise) {
        var address = connected.address();
        if (isHttp2(connected)) {
            var shared = new Shared(ClientStreams.install(connected.channel()), address);
            connections.put(slot, shared);
            connected.channel().closeFuture().addListener(_ -> connections.remove(slot, shared));
            open(shared, dialling, promise);
        } else {
            install(connected.channel());
            promise.trySuccess(new Lease(connected.channel(), address, Freshness.NEW, dialling));
        }
    }

    private static boolean isHttp2(Dialer.Connected connected) {
        return connected
                .protocol()
                .filter(ApplicationProtocolNames.HTTP_2::equals)
                .isPresent();
    }

    /// The connection that `other` waited for stands, or there is none.
    private void afterOther(Waiting other, Slot slot, Origin origin, Future<Dialer.Connected> dialled) {
        if (dialled.isSuccess() && isHttp2(dialled.getNow())) {
            acquire(other.origin(), slot, other.promise());
        } else if (!dialled.isSuccess() && other.origin().equals(origin)) {
            other.promise().tryFailure(dialled.cause());
        } else {
            fresh(other.origin(), slot, other.promise());
        }
    }

    private static void open(Shared shared, Dialling dialling, Promise<Lease> promise) {
        var freshness = dialling.equals(Dialling.STOOD) ? Freshness.USED : Freshness.NEW;
        shared.streams().open().addListener((Future<Http2StreamChannel> opened) -> {
            if (opened.isSuccess()) {
                promise.trySuccess(new Lease(opened.getNow(), shared.address(), freshness, dialling));
            } else {
                promise.tryFailure(new UnreachedException("a stream to the origin: " + Causes.words(opened.cause())));
            }
        });
    }

    private static void install(Channel channel) {
        channel.pipeline().addLast(codec(), OneByOne.ahead(), new Seat());
    }

    /// What writes requests to an origin and reads its answers.
    public static HttpClientCodec codec() {
        var config = new HttpDecoderConfig()
                .setMaxInitialLineLength(64 * 1024)
                .setMaxHeaderSize(256 * 1024)
                .setMaxChunkSize(64 * 1024)
                .setStrictLineParsing(true);
        return new HttpClientCodec(
                config, /* parseHttpAfterConnectRequest= */ false, /* failOnMissingResponse= */ false);
    }

    private static boolean isJudged(Origin origin, String address) {
        return origin.way().addresses().stream()
                .anyMatch(judged -> origin.way().text(judged).equals(address));
    }

    private @Nullable Lease takeKept(Origin origin, Slot slot) {
        var shelf = slots.get(slot);
        while (shelf != null && !shelf.kept.isEmpty()) {
            var kept = shelf.kept.removeLast();
            var lease = kept.lease();
            boolean isJudged = kept.way().equals(origin.way()) || isJudged(origin, lease.address());
            if (isJudged && lease.channel().isActive()) {
                Seat.of(lease.channel()).isTaken = true;
                return lease;
            }
            lease.channel().close();
        }
        return null;
    }

    /// Keeps the channel for another request: it has nothing more to say and the origin did not ask to close
    /// it.
    public void giveBack(Origin origin, Lease lease) {
        var channel = lease.channel();
        if (channel instanceof Http2StreamChannel) {
            return; // a stream is for one request, and both ends have ended it
        }
        if (!channel.isActive()) {
            return;
        }
        var slot = new Slot(channel.eventLoop(), origin.named(), origin.security());
        var shelf = slots.computeIfAbsent(slot, _ -> new Shelf());
        if (shelf.kept.size() >= MAX_KEPT) {
            channel.close();
            return;
        }
        Seat.of(channel).isTaken = false;
        var used = lease.freshness() == Freshness.USED
                ? lease
                : new Lease(channel, lease.address(), Freshness.USED, Dialling.STOOD);
        shelf.kept.addLast(new Kept(used, origin.way(), System.nanoTime()));
        channel.read();
        if (!shelf.isWatched) {
            watch(slot, shelf, KEPT.toNanos());
        }
    }

    private void watch(Slot slot, Shelf shelf, long nanos) {
        shelf.isWatched = true;
        slot.loop().schedule(() -> forgetOld(slot, shelf), nanos, TimeUnit.NANOSECONDS);
    }

    private void forgetOld(Slot slot, Shelf shelf) {
        shelf.isWatched = false;
        long now = System.nanoTime();
        while (!shelf.kept.isEmpty() && now - shelf.kept.getFirst().since() >= KEPT.toNanos()) {
            shelf.kept.removeFirst().lease().channel().close();
        }
        if (shelf.kept.isEmpty()) {
            slots.remove(slot, shelf);
        } else {
            watch(slot, shelf, KEPT.toNanos() - (now - shelf.kept.getFirst().since()));
        }
    }

    /// Where an exchange sits, at the end of a channel. Nothing may come while nobody sits there: what comes would be
    /// taken for the answer to the next request.
    private static final class Seat extends ChannelInboundHandlerAdapter {
        boolean isTaken = true;

        static Seat of(Channel channel) {
            return channel.pipeline().get(Seat.class);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (isTaken) {
                context.fireChannelRead(message);
            } else {
                ReferenceCountUtil.release(message);
                context.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (isTaken) {
                context.fireExceptionCaught(cause);
            } else {
                context.close();
            }
        }
    }

    /// Closes what is kept.
    public void close() {
        connections.forEach((slot, shared) -> slot.loop().execute(shared.streams()::close));
        slots.forEach((slot, shelf) -> slot.loop()
                .execute(() -> shelf.kept.forEach(kept -> kept.lease().channel().close())));
    }
}
