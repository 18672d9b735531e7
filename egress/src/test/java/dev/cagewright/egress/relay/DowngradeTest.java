package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.HostName;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A client that speaks HTTP/2 and an origin that speaks HTTP/1: what the frames say about a body and what the fields
/// say of it, when they differ.
@SuppressWarnings("FutureReturnValueIgnored") // what comes back is looked at
class DowngradeTest {
    private static final String SMUGGLED = "GET /ok/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n";

    private final CageAuthority outside = CageAuthority.create("outside");
    private final List<ByteArrayOutputStream> heard = new CopyOnWriteArrayList<>();
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
        origin = new Origin(TlsSockets.server(outside.leafFor(new HostName("a.test"))), this::listen);
        bench = new Bench(
                origin.port(), Optional.of(new Roots.Own("outside.pem", Bench.pem(outside))), Bench.Terms.USUAL);
        client = ends.client(
                bench,
                Bench.ALLOWED,
                "a.test",
                Http2FrameCodecBuilder.forClient().validateHeaders(false));
    }

    @AfterEach
    void close() throws Exception {
        client.close().syncUninterruptibly();
        bench.close();
        origin.close();
        ends.close();
    }

    /// Keeps every byte, and answers as soon as something looks like the end of a request.
    private void listen(Origin.Talk talk) throws IOException {
        var bytes = new ByteArrayOutputStream();
        heard.add(bytes);
        for (int b = talk.in().read(); b >= 0; b = talk.in().read()) {
            bytes.write(b);
            if (isWhole(bytes)) {
                talk.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
        }
    }

    private static boolean isWhole(ByteArrayOutputStream bytes) {
        try {
            return bytes.size() > 0
                    && !StrictMessage.all(bytes.toByteArray(), StrictMessage.Rest.NO_BODY)
                            .isEmpty();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private void ask(Http2StreamFrame... frames) {
        var stream = new Http2StreamChannelBootstrap(client)
                .handler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                        if (message instanceof Http2HeadersFrame frame) {
                            got.add("head " + frame.headers().status());
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

    private DefaultHttp2HeadersFrame head(String method, String path, String length, boolean isEnd) {
        var fields = new DefaultHttp2Headers(/* validate= */ false)
                .method(method)
                .scheme("https")
                .authority("a.test:" + bench.port)
                .path(path);
        if (!length.isEmpty()) {
            fields.add("content-length", length);
        }
        return new DefaultHttp2HeadersFrame(fields, isEnd);
    }

    private static DefaultHttp2DataFrame data(String text, boolean isEnd) {
        return new DefaultHttp2DataFrame(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII), isEnd);
    }

    private String next() throws InterruptedException {
        var line = got.poll(20, TimeUnit.SECONDS);
        return line == null ? "nothing" : line;
    }

    /// The requests that the origin has seen whole, by their first lines and lengths.
    private List<String> seen() {
        return heard.stream()
                .flatMap(bytes -> {
                    try {
                        return StrictMessage.all(bytes.toByteArray(), StrictMessage.Rest.NO_BODY).stream();
                    } catch (IllegalArgumentException _) {
                        return Stream.empty(); // one that never became whole
                    }
                })
                .map(message -> message.startLine() + " with " + message.body().length())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "5,''",
        "5,abc",
        "3,abcdef",
        "0,SMUGGLED",
        "+3,abc",
        "0x3,abc",
        "'3,4',abc",
        "-1,abc",
        "3;,abc",
        "'3 ',abc",
        "99999999999999999999,abc"
    })
    void a_body_of_another_length_than_was_said_never_becomes_a_request(String length, String body)
            throws InterruptedException {
        var text = body.replace("SMUGGLED", SMUGGLED);
        if (text.isEmpty()) {
            ask(head("POST", "/ok/lying", length, /* isEnd= */ true));
        } else {
            ask(head("POST", "/ok/lying", length, /* isEnd= */ false), data(text, /* isEnd= */ true));
        }
        assertThat(next()).matches("reset .*|head (400|502)");
        ask(head("GET", "/ok/after", "", /* isEnd= */ true));
        while (!seen().contains("GET /ok/after HTTP/1.1 with 0") && client.isActive()) {
            Thread.onSpinWait();
        }
        assertThat(seen()).allMatch(line -> line.equals("GET /ok/after HTTP/1.1 with 0"));
    }

    @Test
    void a_body_without_a_length_is_one_body_whatever_is_in_it() throws InterruptedException {
        var text = "0\r\n\r\n" + SMUGGLED;
        ask(
                head("POST", "/ok/one", "", /* isEnd= */ false),
                data(text, /* isEnd= */ false),
                data(text, /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 200");
        assertThat(seen()).containsExactly("POST /ok/one HTTP/1.1 with " + 2 * text.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"6", "6,6"})
    void a_body_of_the_length_that_was_said_passes(String length) throws InterruptedException {
        ask(
                head("POST", "/ok/two", length, /* isEnd= */ false),
                data("abc", /* isEnd= */ false),
                data("def", /* isEnd= */ true));
        assertThat(next()).isEqualTo("head 200");
        assertThat(seen()).containsExactly("POST /ok/two HTTP/1.1 with 6");
        assertThat(heard.getFirst().toString(StandardCharsets.US_ASCII)).containsPattern("content-length: 6\r\n");
    }
}
