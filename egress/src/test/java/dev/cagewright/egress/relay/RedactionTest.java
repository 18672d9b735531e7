package dev.cagewright.egress.relay;

import static dev.cagewright.egress.relay.Vault.DECOY;
import static dev.cagewright.egress.relay.Vault.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Scheme;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Answers with a value in them, over raw sockets: what the cage gets.
class RedactionTest {
    private final Vault vault = new Vault();
    private volatile Origin.Script script = _ -> {};

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            while (!talk.head().isEmpty()) {
                script.play(talk);
            }
        });
        bench(vault.key(Scheme.HTTP, origin.port(), Vault.header()));
    }

    private void bench(Credentials credentials) throws Exception {
        if (bench != null) {
            bench.close();
        }
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(credentials));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private String ask() throws IOException {
        return bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\nX-Api-Key: " + DECOY
                        + "\r\n\r\n");
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String dechunked(String answer) {
        var body = new StringBuilder();
        var rest = body(answer);
        while (true) {
            int end = rest.indexOf("\r\n");
            int size = Integer.parseInt(rest.substring(0, end), 16);
            if (size == 0) {
                return body.toString();
            }
            body.append(rest, end + 2, end + 2 + size);
            rest = rest.substring(end + 4 + size);
        }
    }

    private void answers(String head, byte[]... pieces) {
        script = talk -> {
            talk.say(head.replace("|", "\r\n"));
            for (var piece : pieces) {
                talk.socket().getOutputStream().write(piece);
                talk.socket().getOutputStream().flush();
            }
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void B079_a_value_cut_anywhere_over_two_chunks_or_into_single_bytes_does_not_arrive() throws Exception {
        var said = "before " + VALUE + " after";
        for (int cut = 0; cut <= said.length(); cut++) {
            int at = cut;
            script = talk -> {
                talk.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                if (at == said.length()) {
                    for (int i = 0; i < said.length(); i++) {
                        talk.say("1\r\n" + said.charAt(i) + "\r\n");
                    }
                } else {
                    chunk(talk, said.substring(0, at));
                    chunk(talk, said.substring(at));
                }
                talk.say("0\r\n\r\n");
            };
            assertThat(dechunked(ask())).isEqualTo("before " + DECOY + " after");
        }
    }

    private static void chunk(Origin.Talk talk, String text) throws IOException {
        if (!text.isEmpty()) {
            talk.say(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
        }
    }

    @Test
    void a_value_in_any_spelling_comes_back_as_the_decoy_and_the_length_stays() throws Exception {
        var base64 = Base64.getEncoder();
        var said = "{\"a\":\"" + VALUE + "\",\"b\":\"" + base64.encodeToString(bytes("me:" + VALUE)) + "\"}";
        answers("HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: " + said.length() + "||", bytes(said));
        var answer = ask();
        assertThat(answer).contains("Content-Length: " + said.length());
        assertThat(body(answer))
                .hasSize(said.length())
                .startsWith("{\"a\":\"" + DECOY + "\",\"b\":\"")
                .doesNotContain(base64.encodeToString(bytes(VALUE)).substring(0, 12));
        bench.nextEnd();
        bench.close();
        assertThat(bench.firstFound())
                .hasSize(1)
                .allMatch(one -> one.contains("redaction.answer") && !one.contains(VALUE));
    }

    @Test
    void B098_the_head_an_interim_answer_and_trailers_come_without_the_value() throws Exception {
        answers("HTTP/1.1 103 Early|Link: </" + VALUE + ">||HTTP/1.1 200 Fine " + VALUE + "|Location: /x?k=" + VALUE
                + "|Set-Cookie: k=" + VALUE + "; Path=/|WWW-Authenticate: Basic realm=\"" + VALUE + "\"|X-" + VALUE
                + ": 1|Transfer-Encoding: chunked|Trailer: X-End||2|ok|0|X-End: " + VALUE + "||");
        assertThat(ask())
                .doesNotContain(VALUE)
                .contains(
                        "HTTP/1.1 103 Early Hints\r\nlink: </" + DECOY + ">",
                        "HTTP/1.1 200 Fine " + DECOY + "\r\n",
                        "Location: /x?k=" + DECOY,
                        "Set-Cookie: k=" + DECOY + "; Path=/",
                        "realm=\"" + DECOY + "\"",
                        "X-" + DECOY + ": 1",
                        "X-End: " + DECOY);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packer = new GZIPOutputStream(out)) {
            packer.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packer = new DeflaterOutputStream(out)) {
            packer.write(bytes);
        }
        return out.toByteArray();
    }

    @Test
    void B082_what_is_compressed_is_decoded_and_comes_without_the_value() throws Exception {
        var said = bytes("{\"k\":\"" + VALUE + "\"}");
        answersCoded("gzip", gzip(said));
        assertThat(dechunked(ask())).isEqualTo("{\"k\":\"" + DECOY + "\"}");
        answersCoded("deflate", deflate(said));
        assertThat(dechunked(ask())).isEqualTo("{\"k\":\"" + DECOY + "\"}");
        answersCoded("gzip, gzip", gzip(gzip(said)));
        var twice = ask();
        assertThat(dechunked(twice)).isEqualTo("{\"k\":\"" + DECOY + "\"}");
        assertThat(twice).doesNotContain("Content-Encoding", "Digest:").contains("etag: W/\"1\"");
    }

    private void answersCoded(String coding, byte[] body) {
        answers(
                "HTTP/1.1 200 OK|Content-Type: application/json|Content-Encoding: " + coding
                        + "|ETag: \"1\"|Digest: sha=1" + "|Content-Length: " + body.length + "||",
                body);
    }

    @Test
    void B082_what_cannot_be_decoded_is_refused_where_a_secret_goes() throws Exception {
        answersCoded("br", bytes("whatever"));
        assertThat(ask()).startsWith("HTTP/1.1 502 Bad Gateway").contains("a coding that cannot be read here");
        answers("HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 40||", gzip(bytes(VALUE)));
        assertThat(cut()).doesNotContain("\u001f\u008b");
    }

    @Test
    void B082_gzip_that_says_nothing_of_it_is_known_when_its_first_two_bytes_come_apart() throws Exception {
        var body = new String(gzip(bytes(VALUE)), StandardCharsets.ISO_8859_1);
        script = talk -> {
            talk.say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk(talk, body.substring(0, 1));
            chunk(talk, body.substring(1));
            talk.say("0\r\n\r\n");
        };
        assertThat(cut()).doesNotContain("\u008b");
    }

    /// What arrives before the answer breaks off.
    private String cut() {
        try {
            return ask();
        } catch (IOException e) {
            return "broken: " + e;
        }
    }

    @Test
    void B089_bodies_without_an_exact_value_pass_byte_for_byte() throws Exception {
        var random = new byte[5 << 20];
        new Random(7).nextBytes(random);
        System.arraycopy(bytes("sk-live-Zq7Wc1Xn8Vb2Mk5"), 0, random, 100_000, 23);
        answers("HTTP/1.1 200 OK|Content-Type: image/png|Content-Length: " + random.length + "||", random);
        assertThat(bytes(body(ask()))).isEqualTo(random);
        System.arraycopy(bytes(VALUE), 0, random, 65_530, VALUE.length());
        answers("HTTP/1.1 200 OK|Content-Type: image/png|Content-Length: " + random.length + "||", random.clone());
        var got = bytes(body(ask()));
        System.arraycopy(bytes(DECOY), 0, random, 65_530, DECOY.length());
        assertThat(got).isEqualTo(random);
    }

    @Test
    void B080_of_two_values_that_begin_alike_the_longer_one_is_taken_out_whole() throws Exception {
        bench(vault.of(
                Vault.bound(Vault.secret("KEY", DECOY, "tok-live"), Scheme.HTTP, origin.port(), Vault.header()),
                Vault.bound(
                        Vault.secret("OTHER", "tok-decoy-decoy-decoy", "tok-live-12345"),
                        Scheme.HTTP,
                        origin.port(),
                        Vault.header())));
        var said = "tok-live-12345 tok-live tok-live-12345tok-live";
        answers("HTTP/1.1 200 OK|Content-Type: text/plain|Content-Length: " + said.length() + "||", bytes(said));
        assertThat(body(ask())).isEqualTo("tok-decoy-deco sk-live- tok-decoy-decosk-live-");
    }

    /// The way that it passed redaction of bytes to two real agents.
    @Test
    void B079_a_value_told_three_letters_an_event_does_not_arrive() throws Exception {
        for (int step = 1; step < VALUE.length(); step++) {
            int letters = step;
            script = talk -> {
                talk.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
                for (int at = 0; at < VALUE.length(); at += letters) {
                    chunk(talk, event(VALUE.substring(at, Math.min(VALUE.length(), at + letters))));
                }
                talk.say("0\r\n\r\n");
            };
            var told = dechunked(ask()).replaceAll("(?s)data: \\{\"delta\":\\{\"text\":\"|\"\\}\\}\n\n", "");
            assertThat(told).isEqualTo(DECOY);
        }
    }

    private static String event(String text) {
        return "data: {\"delta\":{\"text\":\"" + text + "\"}}\n\n";
    }

    private static String frame(int first, String text) {
        return (char) first + "" + (char) text.length() + text;
    }

    private String webSocket(String said) throws IOException {
        var asks = "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nX-Api-Key: " + DECOY
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        var masked = new StringBuilder();
        if (!said.isEmpty()) {
            masked.append((char) 0x81).append((char) (0x80 | said.length())).append("\u0001\u0002\u0003\u0004");
            for (int i = 0; i < said.length(); i++) {
                masked.append((char) (said.charAt(i) ^ (1 + (i & 3))));
            }
        }
        return bench.ask(Bench.ALLOWED, asks + masked);
    }

    @Test
    void B098_messages_of_a_websocket_come_without_the_value_in_fragments_cut_anywhere() throws Exception {
        for (int cut = 1; cut < VALUE.length(); cut++) {
            int at = cut;
            script = talk -> {
                talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
                talk.say(frame(0x01, VALUE.substring(0, at)));
                talk.say(frame(0x89, "ping"));
                talk.say(frame(0x80, VALUE.substring(at)));
                talk.say(frame(0x81, "{\"d\":\"" + VALUE.substring(0, at) + "\"}"));
                talk.say(frame(0x81, "{\"d\":\"" + VALUE.substring(at) + "\"}"));
                talk.socket().close();
            };
            assertThat(body(webSocket("")))
                    .isEqualTo(frame(0x01, DECOY.substring(0, at))
                            + frame(0x89, "ping")
                            + frame(0x80, DECOY.substring(at))
                            + frame(0x81, "{\"d\":\"" + DECOY.substring(0, at) + "\"}")
                            + frame(0x81, "{\"d\":\"" + DECOY.substring(at) + "\"}"));
        }
        assertThat(origin.heads.getFirst()).contains(VALUE).doesNotContain("permessage-deflate");
    }

    @Test
    void a_decoy_in_a_websocket_message_ends_it_and_is_on_record() throws Exception {
        script = talk -> {
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            talk.heads().add("message of " + talk.in().readAllBytes().length);
        };
        assertThat(body(webSocket("k=" + DECOY))).isEmpty();
        assertThat(bench.nextEnd() + bench.nextEnd()).contains("Stopped[kind=decoys.message]");
        assertThat(vault.alarms).hasSize(1);
    }

    @Test
    void B090_what_is_kept_up_to_a_limit_is_cut_after_values_are_taken_out() throws Exception {
        var value = "Zq7Wc1Xn8Vb2Mk5JpLs0";
        var decoy = "decoydecoydecoydeco1";
        var credentials =
                vault.of(Vault.bound(Vault.secret("KEY", decoy, value), Scheme.HTTP, origin.port(), Vault.header()));
        bench.close();
        for (int before = 0; before <= 10; before++) {
            var film = new CaptureTest.Film(); // keeps ten bytes
            bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(credentials), film);
            var said = "0123456789".substring(0, before) + value;
            answers("HTTP/1.1 200 OK|Content-Type: text/plain|Content-Length: " + said.length() + "||", bytes(said));
            ask();
            bench.close();
            assertThat(film.body(Way.ANSWER)).isEqualTo(("0123456789".substring(0, before) + decoy).substring(0, 10));
            assertThat(film.pieces.toString()).doesNotContain(value.substring(0, 4));
        }
    }
}
