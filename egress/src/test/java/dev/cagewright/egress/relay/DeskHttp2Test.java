package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.desk.DeskReply;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.egress.desk.PolicyDesk;
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
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The cage's own desk over HTTP/2.
@SuppressWarnings("FutureReturnValueIgnored") // what comes back is looked at
class DeskHttp2Test {
    private final List<DeskRequest> heard = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
    private final Http2Ends ends = new Http2Ends();

    @SuppressWarnings("NullAway") // set before each test
    private Origin origin;

    @SuppressWarnings("NullAway") // set before each test
    private Bench bench;

    @SuppressWarnings("NullAway") // set before each test
    private Channel client;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(Origin.Talk::head);
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL, Capture.NONE, request -> {
            heard.add(request);
            return DeskReply.result(201, "{\"got\":" + request.body().size() + "}");
        });
        client = ends.client(bench, Bench.DESK, PolicyDesk.NAME.value(), Http2FrameCodecBuilder.forClient());
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        ends.close();
        origin.close();
    }

    private void ask(Http2StreamFrame... frames) {
        var stream = new Http2StreamChannelBootstrap(client)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        if (message instanceof Http2HeadersFrame frame) {
                            got.add("head " + frame.headers().status());
                        } else if (message instanceof Http2DataFrame frame) {
                            got.add(new String(ByteBufUtil.getBytes(frame.content()), StandardCharsets.US_ASCII));
                        }
                        ReferenceCountUtil.release(message);
                    }
                })
                .open()
                .syncUninterruptibly()
                .getNow();
        for (Http2StreamFrame frame : frames) {
            stream.write(frame);
        }
        stream.flush();
    }

    private DefaultHttp2HeadersFrame head(String method, String authority, boolean isEnd) {
        return new DefaultHttp2HeadersFrame(
                new DefaultHttp2Headers()
                        .method(method)
                        .scheme("https")
                        .path("/v1/x")
                        .authority(authority + ":" + bench.port),
                isEnd);
    }

    private static DefaultHttp2DataFrame data(int size, boolean isEnd) {
        return new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[size]), isEnd);
    }

    private String next() throws InterruptedException {
        return String.valueOf(got.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void a_stream_without_a_body_and_one_with_a_body_in_pieces_are_answered() throws InterruptedException {
        ask(head("GET", "cagewright.internal", /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 201");
        assertThat(next()).isEqualTo("{\"got\":0}");
        ask(
                head("POST", "cagewright.internal", /* isEnd= */ false),
                data(4000, /* isEnd= */ false),
                data(4000, /* isEnd= */ false),
                data(0, /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 201");
        assertThat(next()).isEqualTo("{\"got\":8000}");
        assertThat(heard).extracting(DeskRequest::method).containsExactly("GET", "POST");
        assertThat(bench.decisions).isEmpty();
    }

    @Test
    void a_long_body_and_another_authority_are_refused_and_the_next_stream_is_served() throws InterruptedException {
        ask(
                head("POST", "cagewright.internal", /* isEnd= */ false),
                data(16_000, /* isEnd= */ false),
                data(400, /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 413");
        assertThat(next()).contains("the body is longer than 16384 bytes");
        ask(head("GET", "a.test", /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 400");
        assertThat(next()).contains("urn:cagewright:problem:misdirected");
        assertThat(heard).isEmpty();
        ask(head("GET", "cagewright.internal", /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 201");
    }

    @Test
    void a_connection_to_an_address_that_is_nobodys_ends_with_its_refusal_so_that_what_is_granted_later_is_found()
            throws InterruptedException, IOException {
        client = ends.client(bench, Bench.NOBODY, "b.test", Http2FrameCodecBuilder.forClient());
        ask(head("GET", "b.test", /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 403");
        assertThat(next()).contains("\"rule\":\"default:deny\"");
        assertThat(client.closeFuture().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(bench.ask(Bench.NOBODY, "GET /x HTTP/1.1\r\nHost: b.test:" + bench.port + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .containsIgnoringCase("connection: close\r\n");
    }
}
