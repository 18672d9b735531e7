package dev.cagewright.egress.relay;

import static dev.cagewright.egress.relay.Vault.DECOY;
import static dev.cagewright.egress.relay.Vault.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.egress.tls.Trust.Roots;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Secrets over HTTP/2 on both sides: an origin that says everything that it got, in its head, in two frames of data
/// cut where the path says, and in its trailers.
@SuppressWarnings("FutureReturnValueIgnored") // what comes back is looked at
class Http2SecretsTest {
    private final CageAuthority outside = CageAuthority.create("outside");
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Vault vault = new Vault();
    private final Http2Ends ends = new Http2Ends();

    @SuppressWarnings("NullAway") // set before each test
    private Bench bench;

    @SuppressWarnings("NullAway") // set before each test
    private Channel client;

    @BeforeEach
    void open() throws Exception {
        var origin = ends.origin(outside, () -> new Echo(asked), () -> {});
        int port = ((InetSocketAddress) origin.localAddress()).getPort();
        bench = new Bench(
                port,
                Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))),
                Bench.Terms.USUAL.with(vault.key(Scheme.HTTPS, port, Vault.header(), new Place.Body())));
        client = ends.client(bench, Bench.ALLOWED, "a.test", Http2FrameCodecBuilder.forClient());
    }

    @AfterEach
    void close() {
        client.close().syncUninterruptibly();
        bench.close();
        ends.close();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final List<String> asked;
        private final StringBuilder body = new StringBuilder();
        private String path = "";
        private String key = "";

        Echo(List<String> asked) {
            this.asked = asked;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean isEnd = false;
            if (message instanceof Http2HeadersFrame frame) {
                path = String.valueOf(frame.headers().path());
                key = String.valueOf(frame.headers().get("x-api-key"));
                isEnd = frame.isEndStream();
            } else if (message instanceof Http2DataFrame frame) {
                body.append(frame.content().toString(StandardCharsets.US_ASCII));
                isEnd = frame.isEndStream();
            }
            ReferenceCountUtil.release(message);
            if (isEnd) {
                asked.add(path + " key " + key + " body " + body);
                answer(context);
            }
        }

        private void answer(ChannelHandlerContext context) {
            int cut = Integer.parseInt(path.replaceAll("\\D", ""));
            context.write(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status("200").add("x-echo", key)));
            context.write(data(key.substring(0, cut)));
            context.write(data(key.substring(cut)));
            context.writeAndFlush(
                    new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().add("x-end", key), /* endStream= */ true));
        }

        private static DefaultHttp2DataFrame data(String text) {
            return new DefaultHttp2DataFrame(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        }
    }

    /// Everything that comes back: heads, data, trailers, as one text.
    private String ask(String method, String path, String body) {
        var whole = new CompletableFuture<String>();
        var stream = new Http2StreamChannelBootstrap(client)
                .handler(new Collector(whole))
                .open()
                .syncUninterruptibly()
                .getNow();
        Http2Headers fields = new DefaultHttp2Headers()
                .method(method)
                .scheme("https")
                .authority("a.test:" + bench.port)
                .path(path)
                .add("x-api-key", DECOY);
        if (!body.isEmpty()) {
            fields.add("content-type", "application/json").add("content-length", String.valueOf(body.length()));
        }
        stream.write(new DefaultHttp2HeadersFrame(fields, body.isEmpty()));
        if (!body.isEmpty()) {
            stream.write(new DefaultHttp2DataFrame(
                    Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII), /* endStream= */ true));
        }
        stream.flush();
        return whole.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static final class Collector extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<String> whole;
        private final StringBuilder text = new StringBuilder();

        Collector(CompletableFuture<String> whole) {
            this.whole = whole;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean isEnd = false;
            if (message instanceof Http2HeadersFrame frame) {
                frame.headers().forEach(field -> text.append("[" + field.getKey() + " " + field.getValue() + "]"));
                isEnd = frame.isEndStream();
            } else if (message instanceof Http2DataFrame frame) {
                text.append(new String(ByteBufUtil.getBytes(frame.content()), StandardCharsets.US_ASCII));
                isEnd = frame.isEndStream();
            }
            ReferenceCountUtil.release(message);
            if (isEnd) {
                whole.complete(text.toString());
            }
        }
    }

    @Test
    void B079_a_value_cut_anywhere_over_two_frames_does_not_arrive() {
        for (int cut = 0; cut <= VALUE.length(); cut++) {
            var answer = ask("GET", "/ok/" + cut, "");
            assertThat(answer)
                    .contains("[x-echo " + DECOY + "]", "]" + DECOY + "[", "[x-end " + DECOY + "]")
                    .doesNotContain(VALUE);
            assertThat(asked).last().isEqualTo("/ok/" + cut + " key " + VALUE + " body ");
        }
    }

    @Test
    void a_body_in_json_carries_the_value() {
        ask("POST", "/ok/3", "{\"key\":\"" + DECOY + "\"}");
        assertThat(asked).containsExactly("/ok/3 key " + VALUE + " body {\"key\":\"" + VALUE + "\"}");
    }

    @Test
    void a_decoy_elsewhere_is_a_403_of_that_stream() {
        assertThat(ask("GET", "/ok/3?k=" + DECOY, "")).contains("[:status 403]", "problem:credential");
        assertThat(ask("GET", "/ok/3", "")).contains("[:status 200]");
        assertThat(asked).hasSize(1);
    }
}
