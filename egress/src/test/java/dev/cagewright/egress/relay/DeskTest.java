package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.capture.Piece;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.desk.DeskReply;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.egress.desk.PolicyDesk;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests to the cage's own desk: whoever asks in whatever way is answered by the gateway, and what is not for the
/// desk does not come to it.
class DeskTest {
    private static final String NAME = "cagewright.internal";

    private final List<DeskRequest> heard = new CopyOnWriteArrayList<>();
    private final CaptureTest.Film film = new CaptureTest.Film();

    @SuppressWarnings("NullAway") // set before each test
    private Origin origin;

    @SuppressWarnings("NullAway") // set before each test
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
        });
        open(Bench.Terms.USUAL, this::answer);
    }

    private void open(Bench.Terms terms, PolicyDesk desk) throws Exception {
        bench = new Bench(origin.port(), Optional.empty(), terms, film, desk);
    }

    private void open(PolicyDesk desk) throws Exception {
        bench.close();
        open(Bench.Terms.USUAL, desk);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private DeskReply answer(DeskRequest request) {
        heard.add(request);
        return DeskReply.result(200, "{\"asked\":\"" + request.method() + " " + request.path() + "\"}\n");
    }

    private String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + NAME + ":" + bench.port + "\r\nConnection: close\r\n\r\n";
    }

    private String post(String fields, String body) {
        return "POST /v1/allowlist/requests HTTP/1.1\r\nHost: " + NAME + ":" + bench.port
                + "\r\nContent-Type: application/json\r\nConnection: close\r\n" + fields + "\r\n" + body;
    }

    private String posted(int size) {
        return post("Content-Length: " + size + "\r\n", "x".repeat(size));
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        int b = 0;
        while (b >= 0 && head.indexOf("\r\n\r\n") < 0) {
            b = in.read();
            head.append((char) b);
        }
        return head.toString();
    }

    private void isAnswered(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("content-type: application/json\r\n")
                .containsIgnoringCase("cache-control: no-store\r\n")
                .endsWith("\r\n\r\n{\"asked\":\"GET /v1/\"}\n");
        assertThat(heard).singleElement().satisfies(request -> {
            assertThat(request.path()).isEqualTo("/v1/");
            assertThat(request.body().size()).isZero();
        });
        assertThat(bench.decisions).as("no egress").isEmpty();
        assertThat(bench.ends).isEmpty();
        assertThat(film.all(Piece.Asked.class)).as("nothing is kept").isEmpty();
    }

    @Test
    void it_answers_at_its_address_in_the_clear_and_no_rule_is_asked() throws Exception {
        isAnswered(bench.ask(Bench.DESK, get("/v1/")));
    }

    @Test
    void it_answers_inside_tls_under_the_certificate_of_the_cage() throws Exception {
        try (var tls = TlsSockets.client(bench.authority, bench.connect(Bench.DESK), NAME)) {
            say(tls, get("/v1/"));
            isAnswered(Bench.readAll(tls));
        }
    }

    @Test
    void it_answers_a_client_of_http_1_0_that_names_nobody() throws Exception {
        isAnswered(bench.ask(Bench.DESK, "GET /v1/ HTTP/1.0\r\n\r\n").replace("HTTP/1.0", "HTTP/1.1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {443, 80, 9})
    void it_answers_inside_a_tunnel_of_the_proxy(int port) throws Exception {
        try (var socket = bench.connectToProxy()) {
            var target = NAME + ":" + port;
            say(socket, "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n");
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 200 Connection established");
            var request = get("/v1/").replace(":" + bench.port, ":" + port);
            if (port == 443) {
                try (var tls = TlsSockets.client(bench.authority, socket, NAME)) {
                    say(tls, request);
                    isAnswered(Bench.readAll(tls));
                }
            } else {
                say(socket, request);
                isAnswered(Bench.readAll(socket));
            }
        }
    }

    @Test
    void it_answers_at_the_proxy_by_an_address_in_full() throws Exception {
        try (var socket = bench.connectToProxy()) {
            say(socket, "GET http://" + NAME + "/v1/ HTTP/1.1\r\nHost: " + NAME + "\r\nConnection: close\r\n\r\n");
            isAnswered(Bench.readAll(socket));
        }
    }

    @Test
    void another_host_asked_for_at_its_address_is_not_served_there() throws Exception {
        var answer = bench.ask(
                Bench.DESK, "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("the request names a.test:" + bench.port + ", dialled was " + NAME);
        assertThat(heard).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {Bench.ALLOWED, Bench.DENIED, Bench.NOBODY, Bench.ADDRESS})
    void it_is_at_no_other_address_whatever_host_says(String address) throws Exception {
        assertThat(bench.ask(address, get("/v1/")))
                .startsWith("HTTP/1.1 400 ")
                .contains("urn:cagewright:problem:misdirected");
        assertThat(heard).isEmpty();
    }

    @Test
    void tls_at_its_address_that_names_another_host_or_none_ends_with_an_alert() throws Exception {
        for (String name : List.of("a.test", "127.84.0.3")) {
            assertThatThrownBy(() -> {
                        try (var tls = TlsSockets.client(bench.authority, bench.connect(Bench.DESK), name)) {
                            tls.startHandshake();
                        }
                    })
                    .as(name)
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    void without_a_desk_the_name_is_denied_like_any_that_no_rule_names() throws Exception {
        open(PolicyDesk.NONE);
        try (var socket = bench.connectToProxy()) {
            say(socket, "GET http://" + NAME + "/v1/ HTTP/1.1\r\nHost: " + NAME + "\r\nConnection: close\r\n\r\n");
            assertThat(Bench.readAll(socket))
                    .startsWith("HTTP/1.1 403 Forbidden\r\n")
                    .contains("no rule of net.hosts names this host");
        }
    }

    @Test
    void a_body_is_heard_whole_up_to_its_bound_and_not_beyond() throws Exception {
        assertThat(bench.ask(Bench.DESK, posted(DeskRequest.MOST_BODY))).startsWith("HTTP/1.1 200 OK");
        assertThat(heard).singleElement().satisfies(request -> {
            assertThat(request.body().size()).isEqualTo(DeskRequest.MOST_BODY);
            assertThat(request.type()).contains("application/json");
        });
        assertThat(bench.ask(Bench.DESK, posted(DeskRequest.MOST_BODY + 1)))
                .startsWith("HTTP/1.1 413 ")
                .contains("the body is longer than 16384 bytes");
        assertThat(bench.ask(Bench.DESK, post("Content-Length: 9999999999999999999\r\n", "{}")))
                .startsWith("HTTP/1.1 4");
        assertThat(heard).hasSize(1);
    }

    @Test
    void chunks_are_counted_too() throws Exception {
        var chunk = "1000\r\n" + "y".repeat(4096) + "\r\n";
        assertThat(bench.ask(Bench.DESK, post("Transfer-Encoding: chunked\r\n", chunk.repeat(4) + "0\r\n\r\n")))
                .startsWith("HTTP/1.1 200 OK");
        assertThat(bench.ask(
                        Bench.DESK, post("Transfer-Encoding: chunked\r\n", chunk.repeat(4) + "1\r\ny\r\n0\r\n\r\n")))
                .startsWith("HTTP/1.1 413 ");
        assertThat(heard)
                .singleElement()
                .satisfies(request -> assertThat(request.body().size()).isEqualTo(16_384));
    }

    @Test
    void a_client_that_waits_for_a_word_before_its_body_gets_it() throws Exception {
        try (var socket = bench.connect(Bench.DESK)) {
            var in = new BufferedInputStream(socket.getInputStream());
            say(socket, post("Expect: 100-continue\r\nContent-Length: 2\r\n", ""));
            assertThat(head(in)).startsWith("HTTP/1.1 100 Continue");
            say(socket, "{}");
            assertThat(head(in)).startsWith("HTTP/1.1 200 OK");
        }
        try (var socket = bench.connect(Bench.DESK)) {
            say(socket, post("Expect: 100-continue\r\nContent-Length: 200000\r\n", ""));
            assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void an_encoded_body_is_not_read() throws Exception {
        assertThat(bench.ask(Bench.DESK, post("Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}")))
                .startsWith("HTTP/1.1 415 ");
        assertThat(heard).isEmpty();
    }

    @Test
    void B003_a_length_beside_a_coding_is_refused_and_the_connection_closed() throws Exception {
        var both = post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + get("/v1/hidden"));
        assertThat(bench.ask(Bench.DESK, both)).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1");
        assertThat(heard).isEmpty();
        try (var socket = bench.connectToProxy()) {
            say(socket, both.replace("POST /v1", "POST http://" + NAME + "/v1").replace(":" + bench.port, ""));
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 400 ").containsOnlyOnce("HTTP/1.1");
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void requests_in_one_write_are_answered_in_their_order() throws Exception {
        var first = get("/v1/a").replace("Connection: close\r\n", "");
        var second = posted(7).replace("Connection: close\r\n", "");
        var answer = bench.ask(Bench.DESK, first + second + get("/v1/c"));
        assertThat(answer).containsSubsequence("GET /v1/a", "POST /v1/allowlist/requests", "GET /v1/c");
        assertThat(heard).hasSize(3);
    }

    @Test
    void a_desk_that_fails_is_told_as_such_and_no_more() throws Exception {
        open(_ -> {
            throw new IllegalStateException("the inside of it");
        });
        assertThat(bench.ask(Bench.DESK, get("/v1/")))
                .startsWith("HTTP/1.1 500 ")
                .contains("the request could not be answered")
                .doesNotContain("the inside");
    }

    @Test
    void a_body_that_stops_coming_ends_in_408_and_its_place_is_free_again() throws Exception {
        bench.close();
        var soon = Duration.ofSeconds(1);
        open(Bench.Terms.USUAL.with(new Deadlines(Duration.ofSeconds(20), Duration.ofSeconds(20), soon)), this::answer);
        for (int i = 0; i < 9; i++) {
            try (var socket = bench.connect(Bench.DESK)) {
                say(socket, post("Content-Length: 10\r\n", "half"));
                assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 408 ");
            }
        }
        assertThat(heard).isEmpty();
        assertThat(bench.ask(Bench.DESK, get("/v1/"))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void clients_that_leave_in_the_middle_take_no_place_with_them() throws Exception {
        for (int i = 0; i < 40; i++) {
            try (var socket = bench.connect(Bench.DESK)) {
                say(socket, post("Expect: 100-continue\r\nContent-Length: 10\r\n", ""));
                assertThat(head(socket.getInputStream())).startsWith("HTTP/1.1 100");
            }
        }
        assertThat(bench.ask(Bench.DESK, get("/v1/"))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void ten_thousand_requests_are_answered_few_are_served_and_others_go_their_way_meanwhile() throws Exception {
        int served = 0;
        int declined = 0;
        var request = get("/v1/").replace("Connection: close\r\n", "");
        try (var socket = bench.connect(Bench.DESK)) {
            var in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < 10_000; i++) {
                say(socket, request);
                var head = head(in);
                in.readNBytes(Integer.parseInt(head.replaceAll("(?is).*content-length: (\\d+).*", "$1")));
                if (head.startsWith("HTTP/1.1 200 ")) {
                    served++;
                } else {
                    assertThat(head.toLowerCase(Locale.ROOT))
                            .startsWith("http/1.1 429 ")
                            .contains("retry-after: 1\r\n");
                    declined++;
                }
                if (i == 5000) {
                    assertThat(bench.ask(
                                    Bench.ALLOWED,
                                    "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n"))
                            .startsWith("HTTP/1.1 200 OK");
                }
            }
        }
        assertThat(served).isEqualTo(heard.size()).isGreaterThanOrEqualTo(60).isLessThan(5000);
        assertThat(declined).isEqualTo(10_000 - served);
    }

    @Test
    void a_denial_points_to_the_desk_and_to_asking_where_that_is_of_use() throws Exception {
        var denied = "GET /no HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n";
        assertThat(bench.ask(Bench.ALLOWED, denied))
                .contains("\"instance\":\"https://cagewright.internal/v1/decisions/bench-1\"")
                .doesNotContain("allowlist/requests");
        open(taking());
        assertThat(bench.ask(Bench.ALLOWED, denied))
                .contains(
                        "\"more\":\"cagewright why bench-1\"",
                        "\"instance\":\"https://cagewright.internal/v1/decisions/bench-1\"",
                        "\"ask\":\"GET the instance, and POST its ask_with as application/json to "
                                + "https://cagewright.internal/v1/allowlist/requests\"");
        assertThat(bench.ask(Bench.ALLOWED, denied.replace("Connection", "Accept: text/html\r\nConnection")))
                .contains("<code>https://cagewright.internal/v1/decisions/bench-2</code>", "To ask for it: ");
        open(PolicyDesk.NONE);
        assertThat(bench.ask(Bench.ALLOWED, denied)).startsWith("HTTP/1.1 403 ").doesNotContain(NAME);
    }

    /// A desk that takes requests for more.
    private PolicyDesk taking() {
        return new PolicyDesk() {
            @Override
            public DeskReply answer(DeskRequest request) {
                return DeskTest.this.answer(request);
            }

            @Override
            public boolean takesRequests() {
                return true;
            }
        };
    }

    @Test
    void what_no_grant_can_change_does_not_send_anybody_asking() throws Exception {
        open(taking());
        bench.asked = _ -> true;
        assertThat(bench.ask(
                        Bench.ALLOWED,
                        "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .contains("needs approval, and nobody agreed", "/v1/decisions/bench-1")
                .doesNotContain("allowlist/requests");
    }
}
