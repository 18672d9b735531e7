package dev.cagewright.egress.here;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.upstream.Causes;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Makes one request at a [LocalDoor] of the gateway's and hands its answer on. Follows no redirect, keeps nothing.
/// For one thread.
@SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
public final class HostClient {
    private final LocalDoor door;
    private final CageAuthority authority;
    private final Limits limits;

    /// How much is waited for and taken.
    ///
    /// @param bytes the most of a body that is handed on
    /// @param patience for the whole exchange
    public record Limits(long bytes, Duration patience) {}

    /// Where an answer goes.
    @FunctionalInterface
    public interface Taker {
        /// Called once the head has come.
        ///
        /// @return what takes the body, on a thread that may wait; where it throws, the exchange is over
        OutputStream begin(HostAnswer.Head head) throws IOException;
    }

    /// @param authority of the gateway's side of the door: nobody else is trusted at it
    public HostClient(LocalDoor door, CageAuthority authority, Limits limits) {
        this.door = door;
        this.authority = authority;
        this.limits = limits;
    }

    /// Waits for the whole answer, whose body goes to `taker` as it comes.
    ///
    /// @throws IOException if there is no answer, or nobody takes it
    public HostAnswer exchange(HostRequest request, Taker taker) throws IOException, InterruptedException {
        var answer = new CompletableFuture<HostAnswer>();
        var loops = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("host-client", /* daemon= */ true), EpollIoHandler.newFactory());
        try {
            connect(loops, request, new Reading(taker, limits.bytes(), answer), answer);
            return answer.get(limits.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no whole answer within " + limits.patience().toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("no answer: " + Causes.words(e), e);
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private void connect(
            EventLoopGroup loops, HostRequest request, Reading reading, CompletableFuture<HostAnswer> answer)
            throws IOException {
        var tls = request.scheme() == HostRequest.Scheme.HTTPS ? Optional.of(tls()) : Optional.<SslContext>empty();
        var connected = new Bootstrap()
                .group(loops)
                .channel(EpollDomainSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        tls.ifPresent(context -> channel.pipeline()
                                .addLast(context.newHandler(
                                        channel.alloc(), door.host().value(), door.port())));
                        channel.pipeline().addLast(new HttpClientCodec(), reading);
                    }
                })
                .connect(new DomainSocketAddress(door.socket().toString()));
        connected.addListener(_ -> {
            if (connected.isSuccess()) {
                connected.channel().writeAndFlush(message(request)).addListener(written -> {
                    if (!written.isSuccess()) {
                        answer.completeExceptionally(written.cause());
                    }
                });
            } else {
                answer.completeExceptionally(connected.cause());
            }
        });
    }

    private SslContext tls() throws IOException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(authority.certificate())
                .build();
    }

    private FullHttpRequest message(HostRequest request) {
        var body = request.body().map(Unpooled::wrappedBuffer).orElse(Unpooled.EMPTY_BUFFER);
        var message = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.valueOf(request.method()), request.target(), body);
        var headers = message.headers();
        int usual = request.scheme() == HostRequest.Scheme.HTTPS ? 443 : 80;
        var host = door.host().value();
        var named = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        headers.set(HttpHeaderNames.HOST, door.port() == usual ? named : named + ":" + door.port());
        headers.set(HttpHeaderNames.USER_AGENT, "cagewright");
        headers.set(HttpHeaderNames.ACCEPT, "*/*");
        request.headers().forEach(header -> headers.set(header.name(), header.value()));
        headers.set(HttpHeaderNames.CONNECTION, "close");
        request.body().ifPresent(bytes -> headers.set(HttpHeaderNames.CONTENT_LENGTH, bytes.length));
        return message;
    }

    /// Hands a body on as it comes: a slow taker slows the gateway down.
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the channel tells the same
    private static final class Reading extends SimpleChannelInboundHandler<HttpObject> {
        private static final Set<String> OF_THE_CONNECTION =
                Set.of("connection", "keep-alive", "transfer-encoding", "trailer", "upgrade");

        private final Taker taker;
        private final long most;
        private final CompletableFuture<HostAnswer> answer;
        private Optional<HostAnswer.Head> head = Optional.empty();
        private OutputStream out = OutputStream.nullOutputStream();
        private long bytes;

        Reading(Taker taker, long most, CompletableFuture<HostAnswer> answer) {
            this.taker = taker;
            this.most = most;
            this.answer = answer;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) throws IOException {
            if (message.decoderResult().isFailure()) {
                answer.completeExceptionally(message.decoderResult().cause());
                context.close();
                return;
            }
            if (message instanceof HttpResponse response && response.status().code() >= 200) {
                head = Optional.of(head(response));
                out = taker.begin(head.get());
            }
            if (message instanceof HttpContent content && head.isPresent()) {
                take(context, head.get(), content.content());
                if (message instanceof LastHttpContent) {
                    end(context, head.get(), Optional.empty());
                }
            }
        }

        private static HostAnswer.Head head(HttpResponse response) {
            var headers = response.headers().entries().stream()
                    .filter(header ->
                            !OF_THE_CONNECTION.contains(header.getKey().toLowerCase(Locale.ROOT)))
                    .limit(HostAnswer.MOST_HEADERS)
                    .map(header -> new HostRequest.Header(header.getKey(), header.getValue()))
                    .toList();
            var contentType = Optional.ofNullable(response.headers().get(HttpHeaderNames.CONTENT_TYPE));
            return new HostAnswer.Head(response.status().code(), contentType, headers);
        }

        private void take(ChannelHandlerContext context, HostAnswer.Head of, ByteBuf content) throws IOException {
            int length = (int) Math.min(content.readableBytes(), most - bytes);
            content.getBytes(content.readerIndex(), out, length);
            bytes += length;
            if (length < content.readableBytes()) {
                end(context, of, Optional.of("it is longer than " + most + " bytes"));
            }
        }

        private void end(ChannelHandlerContext context, HostAnswer.Head of, Optional<String> cut) {
            answer.complete(new HostAnswer(of.status(), of.contentType(), of.headers(), bytes, cut));
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (head.isPresent()) {
                end(context, head.get(), Optional.of("the connection ended before it was whole"));
            } else {
                answer.completeExceptionally(new IOException("the connection was closed"));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer.completeExceptionally(cause);
            context.close();
        }
    }
}
