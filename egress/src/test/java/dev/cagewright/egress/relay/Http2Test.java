package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.tls.Trust.Roots;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HTTP/2 on both sides, frame by frame: a client in the cage's place, and an origin.
@SuppressWarnings("FutureReturnValueIgnored") // what comes back is looked at
class Http2Test {
    private static final int PIECE = 50_000;
    private static final int MUCH = 6 * PIECE;
    private static final int SMALL_WINDOW = 16 * 1024;

    private final CageAuthority outside = CageAuthority.create("outside");
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
    private final Purse purse = new Purse();
    private final Http2Ends ends = new Http2Ends();

    @SuppressWarnings("NullAway") // set before each test
    private Bench bench;

    @SuppressWarnings("NullAway") // set before each test
    private Channel client;

    @BeforeEach
    void open() throws Exception {
        var origin = ends.origin(outside, this::answering, connections::incrementAndGet);
        int port = ((InetSocketAddress) origin.localAddress()).getPort();
        bench = new Bench(
                port, Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))), Bench.INSPECTED.with(purse));
        client = client(Bench.ALLOWED, "a.test");
    }

    @AfterEach
    void close() {
        client.close().syncUninterruptibly();
        bench.close();
        ends.close();
    }

    /// Answers `/ok/trailers` as gRPC does, `/ok/none` with a head that is its own end, `/ok/much` with more
    /// than a window takes, `/ok/once` only as a connection's first request, `/ok/reset/N` with five of `N`
    /// bytes and a reset that is no error, everything else with five bytes.
    private ChannelHandler answering() {
        return new ChannelInboundHandlerAdapter() {
            private int body;
            private String path = "";

            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                boolean isEnd = false;
                if (message instanceof Http2HeadersFrame frame) {
                    path = path.isEmpty() ? told(frame.headers()) : path;
                    isEnd = frame.isEndStream();
                } else if (message instanceof Http2DataFrame frame) {
                    body += frame.content().readableBytes();
                    isEnd = frame.isEndStream();
                }
                ReferenceCountUtil.release(message);
                if (isEnd) {
                    asked.add(path + " with " + body);
                    answer(context, path);
                }
            }
        };
    }

    private static String told(Http2Headers fields) {
        return fields.method() + " " + fields.path() + " for " + fields.authority() + " te " + fields.get("te");
    }

    private static void answer(ChannelHandlerContext context, String path) {
        if (path.contains("/ok/once")
                && ((Http2StreamChannel) context.channel()).stream().id() > 3) { // Netty's first
            context.channel().parent().close();
            return;
        }
        var head = new DefaultHttp2Headers().status("200");
        if (path.contains("/ok/none")) {
            context.writeAndFlush(new DefaultHttp2HeadersFrame(head.add("grpc-status", "5"), /* endStream= */ true));
            return;
        }
        if (path.contains("/ok/reset/")) {
            head.add("content-length", path.replaceAll(".*/ok/reset/([0-9]+) .*", "$1"));
            context.write(new DefaultHttp2HeadersFrame(head));
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII)))
                    .addListener(_ -> context.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR)));
            return;
        }
        context.write(new DefaultHttp2HeadersFrame(head));
        if (path.contains("/ok/much")) {
            for (int sent = 0; sent < MUCH; sent += PIECE) {
                context.write(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[PIECE])));
            }
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, /* endStream= */ true));
            return;
        }
        var body = Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII);
        if (path.contains("/ok/trailers")) {
            context.write(new DefaultHttp2DataFrame(body));
            context.writeAndFlush(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().add("grpc-status", "0"), /* endStream= */ true));
        } else {
            context.writeAndFlush(new DefaultHttp2DataFrame(body, /* endStream= */ true));
        }
    }

    private Channel client(String address, String name) throws SSLException {
        return ends.client(
                bench,
                address,
                name,
                Http2FrameCodecBuilder.forClient()
                        .validateHeaders(false)
                        .initialSettings(Http2Settings.defaultSettings().initialWindowSize(SMALL_WINDOW)));
    }

    /// Sends frames over a new stream; what comes back is collected, one line a frame.
    private void ask(Http2StreamFrame... frames) {
        var stream = new Http2StreamChannelBootstrap(client)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        if (message instanceof Http2HeadersFrame frame) {
                            got.add("head " + frame.headers().status() + " grpc "
                                    + frame.headers().get("grpc-status") + (frame.isEndStream() ? " end" : ""));
                        } else if (message instanceof Http2DataFrame frame) {
                            got.add("data "
                                    + new String(ByteBufUtil.getBytes(frame.content()), StandardCharsets.US_ASCII)
                                    + (frame.isEndStream() ? " end" : ""));
                        }
                        ReferenceCountUtil.release(message);
                    }

                    @Override
                    public void userEventTriggered(ChannelHandlerContext context, Object event) {
                        if (event instanceof Http2ResetFrame reset) {
                            got.add("reset " + reset.errorCode());
                        }
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

    private DefaultHttp2HeadersFrame get(String path, String... more) {
        return head("GET", path, more, /* isEnd= */ true);
    }

    private DefaultHttp2HeadersFrame head(String method, String path, String[] more, boolean isEnd) {
        var fields = new DefaultHttp2Headers(/* validate= */ false)
                .method(method)
                .scheme("https")
                .authority("a.test:" + bench.port)
                .path(path);
        for (int i = 0; i < more.length; i += 2) {
            fields.add(more[i], more[i + 1]);
        }
        return new DefaultHttp2HeadersFrame(fields, isEnd);
    }

    private String next() {
        try {
            var line = got.poll(20, TimeUnit.SECONDS);
            return line == null ? "nothing" : line;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Test
    void a_request_goes_as_http_2_to_an_origin_that_speaks_it() {
        ask(get("/ok/x?y", "te", "trailers"));
        assertThat(next()).isEqualTo("head 200 grpc null");
        assertThat(next()).startsWith("data hello");
        assertThat(asked).containsExactly("GET /ok/x?y for a.test:" + bench.port + " te trailers with 0");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
    }

    @Test
    void each_stream_is_judged() {
        ask(get("/no"));
        assertThat(next()).isEqualTo("head 403 grpc null");
        assertThat(next()).contains("\"decision\":\"bench-1\"");
        ask(get("/ok"));
        assertThat(next()).isEqualTo("head 200 grpc null");
        assertThat(bench.decisions).hasSize(2);
        assertThat(asked).hasSize(1);
    }

    @Test
    void B017_trailers_pass_and_a_head_that_is_the_end_stays_one() {
        ask(
                head("POST", "/ok/trailers", new String[] {"content-type", "application/grpc"}, /* isEnd= */ false),
                new DefaultHttp2DataFrame(
                        Unpooled.copiedBuffer("request", StandardCharsets.US_ASCII), /* endStream= */ true));
        assertThat(next()).isEqualTo("head 200 grpc null");
        assertThat(next()).isEqualTo("data hello");
        assertThat(next()).isEqualTo("head null grpc 0 end");
        ask(get("/ok/none"));
        assertThat(next()).isEqualTo("head 200 grpc 5 end");
        assertThat(asked).last().asString().startsWith("GET /ok/none");
    }

    private static DefaultHttp2DataFrame data(String text, boolean isEnd) {
        return new DefaultHttp2DataFrame(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII), isEnd);
    }

    @Test
    void a_credential_in_a_body_is_a_403_and_its_twin_passes() {
        for (String length : List.of("46", "")) {
            var more = length.isEmpty() ? new String[0] : new String[] {"content-length", length};
            ask(
                    head("POST", "/ok/c", more, /* isEnd= */ false),
                    data("note: ghp_zQWBuTSOoRi4A9spHc", /* isEnd= */ false),
                    data("VY5ncnsDkxkJ0mLq17", /* isEnd= */ true));
            assertThat(next()).isEqualTo("head 403 grpc null");
            assertThat(next()).contains("secrets.github_token");
            ask(
                    head("POST", "/ok/c", more, /* isEnd= */ false),
                    data("note: ghp_zQWBuTSOoRi4A9spHc", /* isEnd= */ false),
                    data("VY5ncnsDkxkJ0mLq18", /* isEnd= */ true));
            assertThat(next()).isEqualTo("head 200 grpc null");
            assertThat(next()).isEqualTo("data hello end");
        }
        assertThat(asked)
                .hasSizeBetween(2, 4)
                .filteredOn(one -> one.endsWith("with 46"))
                .hasSize(2);
    }

    @Test
    void a_client_of_grpc_is_refused_in_its_own_way() {
        ask(head("POST", "/no", new String[] {"content-type", "application/grpc+proto"}, /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 200 grpc 7 end");
        ask(head("POST", "/no", new String[] {"content-type", "application/grpc-web"}, /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 403 grpc null");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "connection,close",
        "transfer-encoding,chunked",
        "Upper,1",
        "te,gzip",
        "x,'a\r\nHost: b.test'",
        "x,'a\u0000b'",
        "'x y',1",
        ":path,/ok/second",
        ":foo,bar",
        "content-length,3",
    })
    void B035_fields_that_http_1_would_read_differently_reset_the_stream(String name, String value) {
        ask(get("/ok", name, value));
        assertThat(next()).startsWith("reset ");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"content-length", "host", "authorization", "cookie", "trailer", "transfer-encoding", "expect"})
    void a_trailer_that_belongs_into_the_head_resets_the_stream(String name) {
        ask(
                head("POST", "/ok", new String[0], /* isEnd= */ false),
                new DefaultHttp2DataFrame(Unpooled.copiedBuffer("x", StandardCharsets.US_ASCII)),
                new DefaultHttp2HeadersFrame(
                        new DefaultHttp2Headers(/* validate= */ false).add(name, "3"), /* endStream= */ true));
        assertThat(next()).startsWith("reset ");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/o k", "ok", "'/ok\r\nx: y'", "/ok#x"})
    void B035_a_path_that_is_none_never_goes(String path) {
        ask(get(path));
        assertThat(next()).matches("reset .*|head 400 .*");
        assertThat(asked).isEmpty();
    }

    @Test
    void another_authority_than_the_one_that_was_dialled_is_refused() {
        var frame = get("/ok");
        frame.headers().authority("b.test:" + bench.port);
        ask(frame);
        assertThat(next()).isEqualTo("head 400 grpc null");
        assertThat(asked).isEmpty();
    }

    /// Counts what comes over a new stream, and says so at its end.
    private void count(Http2StreamFrame asking, Reading reading) {
        new Http2StreamChannelBootstrap(client)
                .option(ChannelOption.AUTO_READ, reading == Reading.ALL)
                .handler(new ChannelInboundHandlerAdapter() {
                    private int bytes;

                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        if (message instanceof Http2DataFrame frame) {
                            bytes += frame.content().readableBytes();
                            if (frame.isEndStream()) {
                                got.add(bytes + " bytes");
                            }
                        }
                        ReferenceCountUtil.release(message);
                    }

                    @Override
                    public void userEventTriggered(ChannelHandlerContext context, Object event) {
                        if (event instanceof Http2ResetFrame reset) {
                            got.add("reset " + reset.errorCode() + " after " + bytes);
                        }
                    }
                })
                .open()
                .syncUninterruptibly()
                .getNow()
                .writeAndFlush(asking);
    }

    /// From here on, there is a connection to the origin.
    private void warmUp() {
        ask(get("/ok"));
        assertThat(next()).startsWith("head 200");
        assertThat(next()).startsWith("data hello");
    }

    private void countMany(int times, String path, int bytes) {
        for (int i = 0; i < times; i++) {
            count(get(path), Reading.ALL);
        }
        for (int i = 0; i < times; i++) {
            assertThat(next()).isEqualTo(bytes + " bytes");
        }
    }

    private enum Reading {
        ALL,
        NOTHING
    }

    @Test
    void many_answers_at_once_that_are_longer_than_a_window_come_whole() {
        warmUp();
        countMany(40, "/ok/much", MUCH);
    }

    @Test
    void an_answer_that_nobody_reads_holds_up_no_other_of_the_same_connection() {
        warmUp();
        count(get("/ok/much"), Reading.NOTHING);
        count(get("/ok/much"), Reading.ALL);
        assertThat(next()).isEqualTo(MUCH + " bytes");
    }

    @Test
    void an_answer_of_its_length_is_whole_also_where_the_origin_ends_it_by_a_reset_without_an_error() {
        count(get("/ok/reset/5"), Reading.ALL);
        assertThat(next()).isEqualTo("5 bytes");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
    }

    @Test
    void a_reset_without_an_error_before_all_of_the_length_is_a_cut_answer() {
        count(get("/ok/reset/6"), Reading.ALL);
        assertThat(next()).startsWith("reset 2 ");
        assertThat(bench.nextEnd()).startsWith("200 Truncated");
    }

    @Test
    void a_stream_that_finds_no_budget_is_a_403_and_one_that_uses_it_up_is_reset() {
        long before = purse.received.get();
        ask(get("/ok/x"));
        assertThat(next()).isEqualTo("head 200 grpc null");
        assertThat(next()).startsWith("data hello");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
        purse.received.set(before - purse.received.get() - 1);
        ask(get("/ok/x"));
        assertThat(next()).isEqualTo("head 200 grpc null");
        assertThat(next()).startsWith("reset ");
        assertThat(bench.nextEnd()).startsWith("200 Exhausted[why=received is used up] sent 0 received 0");
        purse.requests.set(0);
        ask(get("/ok/x"));
        assertThat(next()).isEqualTo("head 403 grpc null");
        assertThat(next()).contains("problem:budget");
        assertThat(asked).hasSize(2);
    }

    @Test
    void requests_that_come_while_a_connection_is_made_share_it() {
        countMany(20, "/ok", 5);
        assertThat(connections).hasValue(1);
    }

    @Test
    void a_get_is_sent_again_where_the_origin_gives_up_a_connection_that_had_served_and_a_post_is_not() {
        warmUp();
        count(get("/ok/once"), Reading.ALL);
        assertThat(next()).isEqualTo("5 bytes");
        assertThat(connections).hasValue(2);
        ask(head("POST", "/ok/once", new String[0], /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 502 grpc null");
        assertThat(connections).hasValue(2);
    }
}
