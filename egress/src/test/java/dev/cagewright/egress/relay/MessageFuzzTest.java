package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.http.Authority;
import dev.cagewright.egress.http.Malformed;
import dev.cagewright.egress.http.MalformedException;
import dev.cagewright.egress.http.OriginAnswer;
import dev.cagewright.egress.http.OriginAnswer.Ending;
import dev.cagewright.egress.http.RequestDecoder;
import dev.cagewright.egress.http.RequestHead;
import dev.cagewright.egress.resolve.Destination;
import dev.cagewright.egress.upstream.HttpPool;
import dev.cagewright.egress.upstream.Origin;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Whatever a client or an origin says, what is sent on is one message that a strict reader reads as what was judged.
/// Run as a test this reads the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class MessageFuzzTest {
    private static final Authority ORIGIN = new Authority(new HostName("a.test"), 8080);

    /// A request as it was understood.
    private record Understood(RequestHead head, ByteArrayOutputStream body, List<String> trailers) {}

    @FuzzTest(maxDuration = "2m")
    void a_request_that_is_understood_is_sent_as_it_was_judged(byte[] bytes) {
        var whole = messages(bytes, bytes.length);
        assertThat(texts(messages(bytes, 1))).isEqualTo(texts(whole));
        assertThat(texts(messages(bytes, 7))).isEqualTo(texts(whole));
        var out = new EmbeddedChannel(new HttpRequestEncoder());
        var understood = new ArrayList<Understood>();
        try {
            send(whole, understood, out);
        } catch (MalformedException e) {
            assertThat(e.what().why()).matches("\\P{Cntrl}+");
        }
        compare(StrictMessage.all(written(out), StrictMessage.Rest.NO_BODY), understood);
    }

    /// What the decoder makes of `bytes` when they come `size` at a time.
    private static List<Object> messages(byte[] bytes, int size) {
        var channel = new EmbeddedChannel(new RequestDecoder());
        for (int at = 0; at < bytes.length; at += size) {
            channel.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(size, bytes.length - at)));
        }
        var all = new ArrayList<>(channel.inboundMessages());
        channel.inboundMessages().clear();
        channel.finishAndReleaseAll();
        return all;
    }

    /// One text for each message, bodies together.
    private static List<String> texts(List<Object> messages) {
        var texts = new ArrayList<String>();
        var body = new StringBuilder();
        for (Object message : messages) {
            switch (message) {
                case HttpRequest request ->
                    texts.add(request.method() + " " + request.uri() + " " + request.protocolVersion()
                            + request.headers().entries());
                case LastHttpContent last -> {
                    texts.add(
                            body + text(last.content()) + last.trailingHeaders().entries());
                    body.setLength(0);
                }
                case HttpContent content -> body.append(text(content.content()));
                case Malformed(int status, String why) -> texts.add(status + " " + why);
                default -> texts.add("unexpected " + message);
            }
        }
        return texts;
    }

    private static String text(ByteBuf bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /// Sends the whole requests of `messages`, as the gateway does; a request that does not end goes nowhere here.
    private static void send(List<Object> messages, List<Understood> understood, EmbeddedChannel out)
            throws MalformedException {
        var pending = new ArrayList<Object>();
        for (Object message : messages) {
            switch (message) {
                case HttpRequest request -> {
                    var head = RequestHead.of(request, 8080);
                    if (head.form() == RequestHead.Form.TUNNEL || head.asksForWebSocket()) {
                        return;
                    }
                    pending.add(OriginRequest.compose(head, goes(head)));
                    understood.add(new Understood(head, new ByteArrayOutputStream(), new ArrayList<>()));
                }
                case HttpContent content -> {
                    understood.getLast().body().writeBytes(ByteBufUtil.getBytes(content.content()));
                    pending.add(content.retain());
                    if (content instanceof LastHttpContent last) {
                        understood.getLast().trailers().addAll(lines(last));
                        out.writeOutbound(pending.toArray());
                        pending.clear();
                    }
                }
                default -> {
                    if (!pending.isEmpty()) {
                        understood.removeLast();
                    }
                    return;
                }
            }
        }
        if (!pending.isEmpty()) {
            understood.removeLast();
        }
    }

    private static List<String> lines(LastHttpContent last) {
        return last.trailingHeaders().entries().stream()
                .map(field -> field.getKey().toLowerCase(Locale.ROOT) + ": " + field.getValue())
                .toList();
    }

    @SuppressWarnings("NullAway") // what is composed does not ask who counts
    private static Judging.Ruling.Goes goes(RequestHead head) {
        var action = new Action.HttpRequest(head.method(), ORIGIN.host(), ORIGIN.port(), head.path());
        var way =
                Destination.Dialable.direct(List.of(IpAddress.parse("192.0.2.1").orElseThrow()));
        return new Judging.Ruling.Goes(null, action, new Origin(ORIGIN, way, new Origin.Security.Clear()));
    }

    private static byte[] written(EmbeddedChannel out) {
        var bytes = new ByteArrayOutputStream();
        for (ByteBuf part = out.readOutbound(); part != null; part = out.readOutbound()) {
            bytes.writeBytes(ByteBufUtil.getBytes(part));
            part.release();
        }
        return bytes.toByteArray();
    }

    private static void compare(List<StrictMessage> sent, List<Understood> understood) {
        assertThat(sent).hasSameSizeAs(understood);
        for (int i = 0; i < sent.size(); i++) {
            var one = sent.get(i);
            var head = understood.get(i).head();
            assertThat(one.startLine()).isEqualTo(head.method() + " " + head.target() + " HTTP/1.1");
            assertThat(one.value("host")).isEqualTo("a.test:8080");
            assertThat(one.body()).isEqualTo(understood.get(i).body().toString(StandardCharsets.ISO_8859_1));
            assertThat(one.trailers()).isEqualTo(understood.get(i).trailers());
            assertThat(one.fields()).noneMatch(field -> field.matches("(connection|upgrade|keep-alive|proxy-.*): .*"));
        }
    }

    /// The answer's head is followed by whatever the origin says until it closes.
    @FuzzTest(maxDuration = "2m")
    void an_answer_that_is_understood_is_passed_on_as_one(byte[] bytes) throws MalformedException {
        var channel = new EmbeddedChannel(HttpPool.codec());
        channel.writeOutbound(new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        channel.releaseOutbound();
        channel.writeInbound(Unpooled.copiedBuffer(bytes));
        channel.finish();
        var objects = channel.inboundMessages().stream()
                .filter(HttpObject.class::isInstance)
                .map(HttpObject.class::cast)
                .toList();
        var request = RequestHead.of(asked(), 8080);
        var out = new EmbeddedChannel(new HttpResponseEncoder());
        boolean isWhole = pass(objects, request, out);
        var sent = written(out);
        channel.releaseInbound();
        if (isWhole) {
            assertThat(StrictMessage.all(sent, StrictMessage.Rest.UNTIL_THE_END).stream()
                            .map(StrictMessage::startLine)
                            .filter(line -> !line.startsWith("HTTP/1.1 1"))
                            .collect(Collectors.toList()))
                    .hasSize(1);
        }
    }

    private static HttpRequest asked() {
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("host", "a.test:8080");
        return request;
    }

    /// Passes one answer on as [Exchange] does.
    ///
    /// @return was there a whole one?
    private static boolean pass(List<HttpObject> objects, RequestHead request, EmbeddedChannel out) {
        boolean hasHead = false;
        try {
            for (HttpObject object : objects) {
                if (object.decoderResult().isFailure()) {
                    return false;
                }
                if (object instanceof HttpResponse answer && answer.status().code() >= 200) {
                    hasHead = true;
                    var composed = OriginAnswer.compose(answer);
                    var ending = OriginAnswer.ending(request, answer);
                    if (ending == Ending.HEAD_ONLY) {
                        return false; // nothing to be read in two ways
                    }
                    Wire.CLEAR_1.frame(composed, request, ending);
                    out.writeOutbound(composed);
                }
                if (hasHead && object instanceof HttpContent content) {
                    out.writeOutbound(content.retain());
                    if (object instanceof LastHttpContent) {
                        return true;
                    }
                }
            }
        } catch (MalformedException _) {
            return false;
        }
        return false;
    }
}
