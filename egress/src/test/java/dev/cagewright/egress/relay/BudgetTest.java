package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.document.HostRule;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Budgets at the gateway: what passes, what is told, and how it ends when they are used up under way.
class BudgetTest {
    private static final int PARALLEL = 64;

    private final Purse purse = new Purse();
    private final AtomicLong arrived = new AtomicLong();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    private void open(Bench.Terms terms, Origin.Script script) throws Exception {
        origin = Origin.clear(script);
        bench = new Bench(origin.port(), Optional.empty(), terms.with(purse));
    }

    private void open(Origin.Script script) throws Exception {
        open(Bench.Terms.USUAL, script);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private String head(String method, String more) {
        return method + " /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n" + more + "\r\n";
    }

    private String get() {
        return head("GET", "");
    }

    private static void ok(Origin.Talk talk) throws IOException {
        talk.head();
        talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    }

    /// Counts what comes of a body of 100,000 bytes, and answers when it is whole.
    private void swallow(Origin.Talk talk) throws IOException {
        talk.head();
        var piece = new byte[8192];
        int left = 100_000;
        for (int count = 0; left > 0 && count >= 0; left -= count) {
            count = talk.in().read(piece, 0, Math.min(piece.length, left));
            arrived.addAndGet(Math.max(count, 0));
        }
        talk.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }

    private interface Ask {
        String answer() throws IOException;
    }

    private static List<String> atOnce(Ask ask) {
        try (var threads = Executors.newFixedThreadPool(PARALLEL)) {
            var all = Stream.generate(() -> CompletableFuture.supplyAsync(() -> told(ask), threads))
                    .limit(PARALLEL)
                    .toList();
            return all.stream().map(CompletableFuture::join).toList();
        }
    }

    private static String told(Ask ask) {
        try {
            return ask.answer();
        } catch (IOException e) {
            return "broken: " + e;
        }
    }

    @Test
    void B037_of_64_requests_at_once_as_many_reach_the_origin_as_the_budget_has() throws Exception {
        open(BudgetTest::ok);
        purse.requests.set(10);
        var answers = atOnce(() -> bench.ask(Bench.ALLOWED, get()));
        assertThat(answers.stream().filter(answer -> answer.startsWith("HTTP/1.1 200 ")))
                .hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.startsWith("HTTP/1.1 403 ")))
                .hasSize(PARALLEL - 10);
        assertThat(origin.heads).hasSize(10);
        assertThat(bench.decisions.stream().filter(said -> said.startsWith("allow")))
                .hasSize(10);
    }

    @Test
    void a_request_that_finds_no_budget_is_a_denial_that_says_so() throws Exception {
        open(BudgetTest::ok);
        purse.requests.set(0);
        assertThat(bench.ask(Bench.ALLOWED, get()))
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains(
                        "\"type\":\"urn:cagewright:problem:budget\"",
                        "\"detail\":\"requests is used up\"",
                        "\"decision\":\"bench-1\",\"rule\":\"net.hosts[0].budget.requests\"");
        assertThat(bench.decisions).singleElement().asString().startsWith("deny HttpRequest");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void what_no_rule_allows_costs_nothing() throws Exception {
        open(BudgetTest::ok);
        long before = purse.requests.get();
        assertThat(bench.ask(Bench.DENIED, get().replace("a.test", "b.test"))).contains("problem:denied");
        assertThat(purse.requests).hasValue(before);
        assertThat(bench.ask(Bench.ALLOWED, get())).endsWith("hi");
        assertThat(purse.requests).hasValue(before - 1);
    }

    @Test
    void heads_and_bodies_cost_what_they_are_long_each_way() throws Exception {
        open(talk -> {
            talk.head();
            talk.bytes(5);
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        });
        long sent = purse.sent.get();
        long received = purse.received.get();
        assertThat(bench.ask(Bench.ALLOWED, head("POST", "Content-Length: 5\r\n") + "hello"))
                .endsWith("hi");
        var head = origin.heads.getFirst().replace("|", "\r\n") + "\r\n\r\n";
        assertThat(sent - purse.sent.get()).isEqualTo(head.length() + 5);
        assertThat(received - purse.received.get())
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".length());
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 5 received 2");
    }

    @Test
    void an_answer_of_all_that_is_left_passes_and_one_byte_less_resets_it() throws Exception {
        var body = "x".repeat(5000);
        var answer = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + body;
        open(talk -> {
            talk.head();
            talk.say(answer);
        });
        purse.received.set(answer.length());
        assertThat(bench.ask(Bench.ALLOWED, get())).endsWith(body);
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5000");
        assertThat(purse.received).hasValue(0);
        purse.received.set(answer.length() - 1);
        assertThatThrownBy(() -> bench.ask(Bench.ALLOWED, get()))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(bench.nextEnd()).startsWith("200 Exhausted[why=received is used up] sent 0 received ");
    }

    @Test
    void an_answer_whose_head_finds_no_budget_is_a_403() throws Exception {
        open(BudgetTest::ok);
        purse.received.set(10);
        assertThat(bench.ask(Bench.ALLOWED, get()))
                .startsWith("HTTP/1.1 403 ")
                .contains("problem:budget", "received is used up", "cagewright why bench-1");
        assertThat(bench.nextEnd()).isEqualTo("403 Exhausted[why=received is used up] sent 0 received 0");
    }

    @Test
    void a_head_that_finds_no_budget_never_goes() throws Exception {
        open(BudgetTest::ok);
        purse.sent.set(20);
        assertThat(bench.ask(Bench.ALLOWED, get())).startsWith("HTTP/1.1 403 ").contains("sent is used up");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_body_that_uses_the_budget_up_is_a_403_and_the_origin_has_no_more_of_it() throws Exception {
        open(this::swallow);
        purse.sent.set(90_000);
        try (var socket = bench.connect(Bench.ALLOWED)) {
            Thread.ofVirtual().start(() -> pour(socket));
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 403 ").contains("sent is used up");
        }
        assertThat(bench.nextEnd()).startsWith("403 Exhausted[why=sent is used up] sent ");
        assertThat(arrived.get()).isLessThanOrEqualTo(90_000);
    }

    private void pour(Socket socket) {
        try {
            var out = socket.getOutputStream();
            out.write(head("POST", "Content-Length: 100000\r\n").getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 10; i++) {
                out.write(new byte[10_000]);
            }
        } catch (IOException _) {
            return; // the gateway has heard enough
        }
    }

    @Test
    void B037_of_64_uploads_at_once_no_more_arrives_than_the_budget_has() throws Exception {
        open(this::swallow);
        purse.sent.set(1_000_000);
        atOnce(() -> {
            try (var socket = bench.connect(Bench.ALLOWED)) {
                socket.getOutputStream()
                        .write(head("POST", "Content-Length: 100000\r\n").getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().write(new byte[100_000]);
                return Bench.readAll(socket);
            }
        });
        assertThat(arrived.get()).isBetween(500_000L, 1_000_000L);
    }

    @Test
    void B013_a_websocket_and_a_tcp_connection_draw_on_it_and_end_with_a_reset() throws Exception {
        open(talk -> {
            talk.head();
            talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
            talk.say(talk.bytes(4));
            talk.bytes(1);
        });
        try (var socket = bench.connect(Bench.ALLOWED)) {
            var ask = get().replace("close", "Upgrade").replace("\r\n\r\n", "\r\nUpgrade: websocket\r\n\r\n");
            socket.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readNBytes(20);
            purse.sent.set(4);
            socket.getOutputStream().write("ping".getBytes(StandardCharsets.US_ASCII));
            var in = new StringBuilder();
            while (in.indexOf("ping") < 0) {
                in.append((char) socket.getInputStream().read());
            }
            socket.getOutputStream().write('!');
            assertThatThrownBy(() -> Bench.readAll(socket)).isInstanceOf(SocketException.class);
        }
        assertThat(bench.nextEnd()).isEqualTo("101 Exhausted[why=sent is used up] sent 4 received 4");
    }

    @Test
    void a_tcp_connection_is_a_request_and_its_bytes_count() throws Exception {
        open(Bench.Terms.USUAL.with(HostRule.Protocol.TCP), talk -> {
            talk.say("welcome");
            talk.bytes(2);
        });
        purse.requests.set(1);
        purse.received.set(7);
        purse.sent.set(1);
        try (var socket = bench.connect(Bench.ALLOWED)) {
            assertThat(socket.getInputStream().readNBytes(7)).hasSize(7);
            socket.getOutputStream().write("hi".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> Bench.readAll(socket)).isInstanceOf(SocketException.class);
        }
        assertThat(bench.nextEnd()).isEqualTo("Exhausted[why=sent is used up] sent 0 received 7");
        try (var socket = bench.connect(Bench.ALLOWED)) {
            assertThatThrownBy(() -> Bench.readAll(socket)).isInstanceOf(SocketException.class);
        }
        assertThat(bench.decisions).last().asString().startsWith("deny NetConnect");
    }
}
