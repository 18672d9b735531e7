package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.Approvals.Answer;
import dev.cagewright.policy.gate.Exhibit;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that a person has to agree to: what they are shown is what leaves, all of it, once.
class ApprovedRequestTest {
    private final List<Exhibit.Shown> shown = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(this::answer);
        bench = bench(Bench.Terms.USUAL);
    }

    private Bench bench(Bench.Terms terms) throws Exception {
        var opened = new Bench(origin.port(), Optional.empty(), terms);
        opened.asked = Action.HttpRequest.class::isInstance;
        opened.person = (_, _, _, object) -> {
            shown.add(object);
            return Answer.AGREED;
        };
        return opened;
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private void answer(Origin.Talk talk) throws IOException {
        while (true) {
            var head = talk.head();
            if (head.isEmpty()) {
                return;
            }
            var length = head.replaceAll("(?is).*content-length: (\\d+).*", "$1");
            bodies.add(length.matches("\\d+") ? talk.bytes(Integer.parseInt(length)) : "");
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    }

    private String post(String body, String... more) {
        return "POST /ok?x=1 HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n" + String.join("", more)
                + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body;
    }

    private String lines(int index) {
        return String.join("\n", shown.get(index).lines());
    }

    @Test
    void I11_what_was_shown_is_what_leaves() throws Exception {
        var answer = bench.ask(Bench.ALLOWED, post("transfer 100 to alice", "X-Mine: 1\r\n"));

        assertThat(answer).startsWith("HTTP/1.1 200 OK").endsWith("ok");
        assertThat(bodies).containsExactly("transfer 100 to alice");
        assertThat(lines(0))
                .contains("/ok?x=1", "in the clear", "body: 21 bytes", "transfer 100 to alice", "X-Mine: 1");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 21 received 2");
    }

    @Test
    void I11_two_bodies_fields_or_queries_are_two_objects() throws Exception {
        bench.ask(Bench.ALLOWED, post("one"));
        bench.ask(Bench.ALLOWED, post("two"));
        bench.ask(Bench.ALLOWED, post("one", "X-Mine: 1\r\n"));
        bench.ask(Bench.ALLOWED, post("one").replace("x=1", "x=2"));
        bench.ask(Bench.ALLOWED, post("one"));

        assertThat(shown.subList(0, 4)).extracting(Exhibit.Shown::digest).doesNotHaveDuplicates();
        assertThat(shown.get(4).digest()).isEqualTo(shown.getFirst().digest());
    }

    @Test
    void nothing_reaches_the_origin_before_somebody_agrees_and_nothing_when_they_refuse() throws Exception {
        var reached = new CopyOnWriteArrayList<String>();
        bench.person = (_, _, _, object) -> {
            shown.add(object);
            reached.addAll(origin.heads);
            return Answer.REFUSED;
        };

        assertThat(bench.ask(Bench.ALLOWED, post("x".repeat(100_000)))).startsWith("HTTP/1.1 403 Forbidden");
        assertThat(reached).isEmpty();
        assertThat(origin.heads).isEmpty();
        assertThat(bench.decisions).singleElement().asString().startsWith("deny");
        assertThat(lines(0)).contains("100000 bytes", "(99400 bytes more)");
    }

    @Test
    void a_request_without_a_body_is_asked_about_too() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED, "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 OK");
        assertThat(lines(0)).contains("no body");
    }

    @Test
    void the_next_request_of_a_connection_is_a_question_of_its_own() throws Exception {
        var get = "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n";
        var first = post("one").replace("Connection: close\r\n", "");

        var answer = bench.ask(Bench.ALLOWED, first + get + "\r\n" + get + "Connection: close\r\n\r\n");

        assertThat(answer.split("HTTP/1.1 200 OK", -1)).hasSize(4);
        assertThat(shown).hasSize(3);
        assertThat(bodies).containsExactly("one", "", "");
    }

    @Test
    void fields_behind_a_body_are_not_approved_unseen() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n3\r\nabc\r\n0\r\nX-Late: 1\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413 ");
        assertThat(shown).isEmpty();
    }

    @Test
    void chunks_are_kept_back_and_go_on_whole() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 OK");
        assertThat(lines(0)).contains("body: 7 bytes", "abcdefg");
        assertThat(origin.heads.getFirst()).contains("transfer-encoding: chunked");
    }

    @Test
    void whoever_waits_for_100_gets_it_before_the_person_is_asked() throws Exception {
        try (var socket = new Socket(Bench.ALLOWED, bench.port)) {
            var out = socket.getOutputStream();
            out.write(("POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                            + "\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            var interim = new String(socket.getInputStream().readNBytes(25), StandardCharsets.US_ASCII);
            assertThat(interim).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(shown).isEmpty();
            out.write("abc".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 OK");
        }
        assertThat(bodies).containsExactly("abc");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_body_that_nobody_can_be_shown_is_refused(boolean hasLength) throws Exception {
        var much = "x".repeat((1 << 20) + 1);
        var chunked = "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                + "\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + Integer.toHexString(much.length())
                + "\r\n" + much
                + "\r\n0\r\n\r\n";

        var answer = bench.ask(Bench.ALLOWED, hasLength ? post(much) : chunked);

        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("cannot be approved", "require_for");
        assertThat(shown).isEmpty();
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_client_that_does_not_end_its_body_is_let_go() throws Exception {
        bench.close();
        bench = bench(Bench.Terms.USUAL.with(new Deadlines(
                Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofMillis(300), Duration.ofSeconds(20))));
        assertThat(bench.ask(Bench.ALLOWED, post("abcdef").replace("abcdef", "abc")))
                .isEmpty();
        assertThat(shown).isEmpty();
    }

    @Test
    void a_client_that_leaves_while_somebody_thinks_sends_nothing() throws IOException, InterruptedException {
        var asked = new CountDownLatch(1);
        var left = new CountDownLatch(1);
        bench.person = (_, _, _, _) -> {
            asked.countDown();
            try {
                left.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return Answer.AGREED;
        };
        try (var socket = new Socket(Bench.ALLOWED, bench.port)) {
            socket.getOutputStream().write(post("abc").getBytes(StandardCharsets.US_ASCII));
            asked.await();
            socket.setSoLinger(true, 0);
        }
        bench.asked = _ -> false;
        for (int turn = 0; turn < 4; turn++) { // each loop has seen that the client is gone when it has served another
            bench.ask(Bench.DENIED, "GET / HTTP/1.1\r\nHost: b.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
        }
        left.countDown();

        assertThat(bench.nextEnd()).contains("Unreached");
        assertThat(origin.heads).isEmpty();
    }

    private String webSocket() {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                + "\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    @Test
    void a_websocket_to_where_sending_is_asked_about_is_refused_when_its_opening_is_not() throws Exception {
        bench.asked = action ->
                action instanceof Action.HttpRequest request && request.method().equals("POST");

        assertThat(bench.ask(Bench.ALLOWED, webSocket()))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("urn:cagewright:problem:approval", "a WebSocket sends messages that nobody can be shown")
                .contains("\"rule\":\"approval.require_for[0]\"", "let the rule ask about GET too");
        assertThat(origin.heads).isEmpty();
        assertThat(shown).isEmpty();

        assertThat(bench.ask(Bench.ALLOWED, webSocket().replace("Connection: Upgrade, close", "Connection: close")))
                .startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void a_websocket_whose_opening_is_asked_about_is_shown_as_one() throws Exception {
        bench.ask(Bench.ALLOWED, webSocket());

        assertThat(lines(0)).contains("opens a WebSocket: what is said in it is not shown and not covered");
        assertThat(origin.heads).hasSize(1);
    }
}
