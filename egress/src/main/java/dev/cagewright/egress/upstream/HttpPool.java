package dev.cagewright.egress.upstream;

import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.OneByOne;
import dev.cagewright.egress.http2.ClientStreams;
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
    private final ConcurrentHashMap<Slot, Deque<Kept>> slots = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Slot, Shared> connections = new ConcurrentHashMap<>();

    public HttpPool(Dialer dialer) {
        this.dialer = dialer;
    }

    /// Connections that may stand in for each other; only their event loop looks.
    private record Slot(EventLoop loop, Authority named, Origin.Security security) {}

    /// A connection in HTTP/2.
    private record Shared(ClientStreams streams, String address) {}

    private record Kept(Lease lease, Parked parked) {}

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

    /// A channel to `origin` on `loop`, whose thread calls this.
    ///
    /// @return fails with an [UnreachedException]
    public Future<Lease> acquire(Origin origin, EventLoop loop) {
        Promise<Lease> promise = loop.newPromise();
        var slot = new Slot(loop, origin.named(), origin.security());
        var shared = connections.get(slot);
        if (shared != null && shared.streams().takesMore() && isJudged(origin, shared.address())) {
            open(shared, Dialling.STOOD, promise);
            return promise;
        }
        var kept = takeKept(origin, slot);
        if (kept != null) {
            promise.setSuccess(kept);
        } else {
            fresh(origin, slot, promise);
        }
        return promise;
    }

    /// The same, and never one that has served before.
    public Future<Lease> acquireFresh(Origin origin, EventLoop loop) {
        Promise<Lease> promise = loop.newPromise();
        fresh(origin, new Slot(loop, origin.named(), origin.security()), promise);
        return promise;
    }

    private void fresh(Origin origin, Slot slot, Promise<Lease> promise) {
        long begun = System.nanoTime();
        dialer.connect(origin, slot.loop()).addListener((Future<Dialer.Connected> dialled) -> {
            if (!dialled.isSuccess()) {
                promise.tryFailure(dialled.cause());
                return;
            }
            var connected = dialled.getNow();
            var address = connected.address();
            var dialling = new Dialling(Optional.of(Duration.ofNanos(System.nanoTime() - begun)), connected.tls());
            if (connected
                    .protocol()
                    .filter(ApplicationProtocolNames.HTTP_2::equals)
                    .isPresent()) {
                var shared = new Shared(ClientStreams.install(connected.channel()), address);
                connections.put(slot, shared);
                connected.channel().closeFuture().addListener(_ -> connections.remove(slot, shared));
                open(shared, dialling, promise);
            } else {
                install(connected.channel());
                promise.trySuccess(new Lease(connected.channel(), address, Freshness.NEW, dialling));
            }
        });
    }

    private static void open(Shared shared, Dialling dialling, Promise<Lease> promise) {
        shared.streams().open().addListener((Future<Http2StreamChannel> opened) -> {
            if (opened.isSuccess()) {
                promise.trySuccess(new Lease(opened.getNow(), shared.address(), Freshness.NEW, dialling));
            } else {
                promise.tryFailure(new UnreachedException("a stream to the origin: " + Causes.words(opened.cause())));
            }
        });
    }

    private static void install(Channel channel) {
        channel.pipeline().addLast(codec(), new OneByOne());
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
        var deque = slots.get(slot);
        while (deque != null && !deque.isEmpty()) {
            var kept = deque.removeLast();
            var channel = kept.lease().channel();
            if (channel.isActive() && isJudged(origin, kept.lease().address())) {
                channel.pipeline().remove(kept.parked());
                channel.config().setAutoRead(false);
                return kept.lease();
            }
            channel.close();
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
        var deque = slots.computeIfAbsent(slot, _ -> new ArrayDeque<>());
        if (deque.size() >= MAX_KEPT) {
            channel.close();
            return;
        }
        var parked = new Parked();
        channel.pipeline().addLast(parked);
        deque.addLast(new Kept(new Lease(channel, lease.address(), Freshness.USED, Dialling.STOOD), parked));
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> forget(slot, parked), KEPT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void forget(Slot slot, Parked parked) {
        var deque = slots.get(slot);
        if (deque == null) {
            return;
        }
        deque.removeIf(kept -> {
            boolean isIt = kept.parked() == parked;
            if (isIt) {
                kept.lease().channel().close();
            }
            return isIt;
        });
        if (deque.isEmpty()) {
            slots.remove(slot);
        }
    }

    /// Nothing may come while nobody asked: what comes would be taken for the answer to the next request.
    private static final class Parked extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /// Closes what is kept.
    public void close() {
        connections.forEach((slot, shared) -> slot.loop().execute(shared.streams()::close));
        slots.forEach((slot, deque) -> slot.loop()
                .execute(() -> deque.forEach(kept -> kept.lease().channel().close())));
    }
}
