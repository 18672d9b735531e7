package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.deadline.Deadlines;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests in the clear, over raw sockets: what goes, what is refused, and what the origin sees of it.
class ClearRequestTest {
    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(ClearRequestTest::echo);
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    /// Answers each request with the length of its body, over one connection.
    private static void echo(Origin.Talk talk) throws IOException {
        while (true) {
            var head = talk.head();
            if (head.isEmpty()) {
                return;
            }
            var body = "";
            var length = head.replaceAll("(?is).*content-length: (\\d+).*", "$1");
            if (length.matches("\\d+")) {
                body = talk.bytes(Integer.parseInt(length));
            } else if (head.toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked")) {
                body = chunks(talk);
            }
            var answer = "got " + body.length();
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n"
                    + (head.startsWith("HEAD") ? "" : answer));
        }
    }

    private static String chunks(Origin.Talk talk) throws IOException {
        var body = new StringBuilder();
        while (true) {
            var size = new StringBuilder();
            while (size.indexOf("\r\n") < 0) {
                var next = talk.bytes(1);
                if (next.isEmpty()) {
                    throw new EOFException("in a chunk");
                }
                size.append(next);
            }
            int count = Integer.parseInt(size.toString().trim(), 16);
            body.append(talk.bytes(count));
            talk.bytes(2);
            if (count == 0) {
                return body.toString();
            }
        }
    }

    private String host() {
        return "Host: a.test:" + bench.port + "\r\n";
    }

    @Test
    void an_allowed_request_reaches_the_origin_composed_anew() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "GET /ok/./x/../y%7e?q=%2e%2E&r HTTP/1.1\r\n" + host()
                        + "Accept: */*\r\nConnection: close, x-mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nTE: gzip\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("got 0");
        assertThat(origin.heads)
                .containsExactly("GET /ok/y~?q=%2e%2E&r HTTP/1.1|Host: a.test:" + bench.port + "|Accept: */*");
        assertThat(bench.decisions)
                .containsExactly("allow HttpRequest[method=GET, host=a.test, port=" + bench.port + ", path=/ok/y~]");
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received 5");
    }

    @ParameterizedTest
    @CsvSource({"GET,/no", "DELETE,/ok", "GET,/ok/../no", "GET,/okay", "GET,/ok/%2e%2e/no"})
    void a_method_or_path_that_no_rule_names_is_a_403_that_says_what_would_allow_it(String method, String path)
            throws Exception {
        var answer =
                bench.ask(Bench.ALLOWED, method + " " + path + " HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains(
                        "application/problem+json",
                        "\"decision\":\"bench-1\"",
                        "\"rule\":\"net.hosts[0]\"",
                        "\"fix\":");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_name_that_no_rule_names_is_a_403() throws Exception {
        var answer = bench.ask(
                Bench.DENIED,
                "GET / HTTP/1.1\r\nHost: b.test:" + bench.port + "\r\nAccept: text/html\r\nConnection: close\r\n\r\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains("text/html", "no rule of net.hosts names this host", "cagewright why bench-1");
    }

    @Test
    void B007_each_of_two_requests_in_one_write_is_judged() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\n" + host() + "\r\nPOST /denied HTTP/1.1\r\n" + host()
                        + "Content-Length: 2\r\nConnection: close\r\n\r\nhi");
        assertThat(answer).containsSubsequence("HTTP/1.1 200 OK", "got 0", "HTTP/1.1 403 Forbidden");
        assertThat(bench.decisions).hasSize(2);
        assertThat(origin.heads).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /ok HTTP/1.1|H|Content-Length: 4|Transfer-Encoding: chunked||0||",
                "POST /ok HTTP/1.1|H|Content-Length: 4|Content-Length: 4||abcd",
                "POST /ok HTTP/1.1|H|Content-Length: 4, 4||abcd",
                "POST /ok HTTP/1.1|H|Content-Length: +4||abcd",
                "POST /ok HTTP/1.1|H|Content-Length: 0x4||abcd",
                "POST /ok HTTP/1.1|H|Content-Length: -1||",
                "POST /ok HTTP/1.1|H|Content-Length:||",
                "POST /ok HTTP/1.1|H|Transfer-Encoding: chunked, identity||0||",
                "POST /ok HTTP/1.1|H|Transfer-Encoding: identity||0||",
                "POST /ok HTTP/1.1|H|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "POST /ok HTTP/1.1|H|Transfer-Encoding : chunked||0||",
                "POST /ok HTTP/1.0|H|Transfer-Encoding: chunked||0||",
                "GET /ok HTTP/1.1|H|X: a| b||",
                "GET /ok HTTP/1.1| H||",
                "GET  /ok HTTP/1.1|H||",
                "GET /ok  HTTP/1.1|H||",
                "GET /ok HTTP/1.1 |H||",
                "GET /ok|H||",
                "GET /o k HTTP/1.1|H||",
                "GET /ok HTTP/1.1|H|X Y: 1||",
                "GET /ok HTTP/1.1|H|: 1||",
                "GET /ok HTTP/1.1|H|X||",
                "GET /ok HTTP/1.1|H|Host: a.test||",
                "GET /ok HTTP/1.1|X: 1||",
                "GET /ok HTTP/1.1|Host: a.test:x@b.test||",
                "GET /ok HTTP/1.1|Host: a.test, b.test||",
                "GET /ok#x HTTP/1.1|H||",
                "GET /ok?a#x HTTP/1.1|H||",
                "GET http://a.test@b.test/ok HTTP/1.1|H||",
                "GET /../ok HTTP/1.1|H||",
                "GET /ok\\x HTTP/1.1|H||",
                "GET /ok%00 HTTP/1.1|H||",
                "GET * HTTP/1.1|H||",
                "GET /ok HTTP/1.1|H|Connection: host||",
                "GET /ok/..%2fno HTTP/1.1|H||",
                "GET /ok/%252e%252e/no HTTP/1.1|H||",
                "GET /ok/..%5Cno HTTP/1.1|H||",
                "POST /ok HTTP/1.1|H|X-HTTP-Method-Override: DELETE|Content-Length: 0||",
                "POST /ok HTTP/1.1|H|X_Method_Override: PUT|Content-Length: 0||",
                "GET /ok HTTP/1.1|H|X-Original-URL: /no||",
                "GET /ok HTTP/1.1|H|x-rewrite-url: /ok?x||",
            })
    void B003_B025_B033_what_can_be_read_in_two_ways_is_a_400_and_the_end(String request) throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                request.replace("|H|", "|" + host().strip() + "|").replace("|", "\r\n")
                        + "GET /ok/smuggled HTTP/1.1\r\n" + host() + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n").contains("connection: close");
        assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
        assertThat(origin.heads).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /ok HTTP/1.1\nHost: a.test\n\n",
                "GET /ok HTTP/1.1\r\nX: 1\n\r\n",
                "GET /ok HTTP/1.1\r\nX\rY: 1\r\n\r\n"
            })
    void bare_line_ends_are_a_400_and_the_end(String request) throws Exception {
        assertThat(bench.ask(Bench.ALLOWED, request)).startsWith("HTTP/1.1 400 Bad Request\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.11"})
    void other_versions_are_a_505(String version) throws Exception {
        assertThat(bench.ask(Bench.ALLOWED, "GET /ok " + version + "\r\n" + host() + "\r\n"))
                .startsWith("HTTP/1.1 505 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;a=\"\r\nx\r\n0\r\n\r\nGET /ok/smuggled HTTP/1.1\r\n\r\n",
                "1 \r\nx\r\n0\r\n\r\n",
                "+1\r\nx\r\n0\r\n\r\n",
                "0x1\r\nx\r\n0\r\n\r\n",
                "\r\n",
                "1\r\nxy\r\n0\r\n\r\n",
                "1\nx\n0\n\n",
                "1;\r\nx\r\n0\r\n\r\n",
                "0\r\nContent-Length: 4\r\n\r\n",
                "11111111111111111\r\nx",
            })
    void B006_a_chunk_that_can_be_read_in_two_ways_ends_the_request(String body) throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED, "POST /ok HTTP/1.1\r\n" + host() + "Transfer-Encoding: chunked\r\n\r\n" + body);
        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request");
        assertThat(origin.heads.toString()).doesNotContain("smuggled").doesNotContain("got");
        assertThat(bench.decisions).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "CHUNKED", "  chunked  "})
    void B025_one_chunked_body_passes_however_it_is_spelt(String coding) throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "POST /ok HTTP/1.1\r\n" + host() + "transfer-encoding:" + coding
                        + "\r\nConnection: close\r\n\r\n3;x=1;y=\"a b\"\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
        assertThat(answer).endsWith("got 5");
        assertThat(origin.heads.getFirst()).contains("|transfer-encoding: chunked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.test:P", "a.test:1", "a.test.b.test:P", "127.0.0.1:P", "A.test.:Q"})
    void two_identities_for_one_request_are_refused(String named) throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\nHost: "
                        + named.replace("P", "" + bench.port).replace("Q", "1") + "\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n").contains("dialled was a.test");
        assertThat(bench.nextEnd()).startsWith("refused a.test: the request names");
        assertThat(bench.decisions).isEmpty();
    }

    @Test
    void B028_a_name_in_capitals_and_with_its_dot_is_the_same_name() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED, "GET /ok HTTP/1.1\r\nHost: A.TEST.:" + bench.port + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads.getFirst()).contains("|Host: a.test:" + bench.port);
    }

    @ParameterizedTest
    @ValueSource(strings = {Bench.NOBODY, Bench.ADDRESS})
    void B064_an_allowed_name_at_an_address_that_is_not_its_own_is_refused(String address) throws Exception {
        var answer = bench.ask(address, "GET /ok HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403 Forbidden\r\n").contains("which is not its address in this cage");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void B064_a_raw_address_needs_a_rule_of_its_own() throws Exception {
        var answer = bench.ask(
                Bench.ADDRESS,
                "GET /ok HTTP/1.1\r\nHost: " + Bench.ADDRESS + ":" + bench.port + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403 Forbidden\r\n").contains("\"decision\":\"bench-1\"");
        assertThat(bench.decisions).hasSize(1).allMatch(one -> one.startsWith("deny "));
    }

    @Test
    void B032_what_is_neither_tls_nor_http_is_closed_and_on_record() throws Exception {
        assertThat(broken(() -> bench.ask(Bench.ALLOWED, "\u0000\u0001\u0002hello")))
                .isTrue();
        assertThat(bench.nextEnd()).isEqualTo("refused a.test: the first bytes are neither TLS nor HTTP");
        assertThat(broken(() -> bench.ask(Bench.ALLOWED, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
                .isTrue();
        assertThat(bench.nextEnd()).isEqualTo("refused a.test: HTTP/2 in the clear, which is not read");
    }

    private interface Asking {
        String ask() throws IOException;
    }

    /// Did the connection end in a reset, or without a word?
    private static boolean broken(Asking asking) {
        try {
            return asking.ask().isEmpty();
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void B078_a_client_that_says_nothing_whole_is_let_go() throws Exception {
        bench.close();
        var quick = new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(20));
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(quick));
        assertThat(broken(() -> bench.ask(Bench.ALLOWED, ""))).isTrue();
        assertThat(bench.nextEnd()).isEqualTo("refused a.test: nothing whole was said in time");
        assertThat(broken(() -> bench.ask(Bench.ALLOWED, "GET /ok HTTP/1.1\r\nHost: a")))
                .isTrue();
        assertThat(bench.ask(Bench.ALLOWED, "GET /ok HTTP/1.1\r\n" + host() + "\r\n"))
                .endsWith("got 0");
    }

    @Test
    void a_method_or_target_that_is_named_twice_alike_passes() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "GET /ok?x HTTP/1.1\r\n" + host()
                        + "X-Original-URL: /ok?x\r\nX-HTTP-Method: get\r\nConnection: close\r\n\r\n");
        assertThat(answer).endsWith("got 0");
    }

    @Test
    void bytes_of_a_value_that_are_no_ascii_reach_the_origin_as_they_are() throws Exception {
        bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\n" + host() + "X-Name: caf\u00c3\u00a9 \u00ff\r\nConnection: close\r\n\r\n");
        assertThat(origin.heads.getFirst()).endsWith("|X-Name: caf\u00c3\u00a9 \u00ff");
    }

    @Test
    void a_head_request_has_a_length_and_no_body() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "HEAD /ok HTTP/1.1\r\n" + host() + "\r\nGET /ok HTTP/1.1\r\n" + host() + "Connection: close\r\n\r\n");
        assertThat(answer).matches("(?s)HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK.*got 0");
    }

    @Test
    void a_refused_body_is_read_away_so_that_the_connection_goes_on() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "POST /no HTTP/1.1\r\n" + host() + "Content-Length: 5\r\n\r\nabcdeGET /ok HTTP/1.1\r\n" + host()
                        + "Connection: close\r\n\r\n");
        assertThat(answer).containsSubsequence("403 Forbidden", "200 OK", "got 0");
    }

    @Test
    void an_address_in_full_and_connect_are_for_the_proxys_port() throws Exception {
        for (String line : new String[] {"GET http://a.test:" + bench.port + "/ok", "CONNECT a.test:" + bench.port}) {
            assertThat(bench.ask(Bench.ALLOWED, line + " HTTP/1.1\r\n" + host() + "\r\n"))
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .contains("is for a proxy");
        }
    }

    @Test
    void the_origin_is_asked_over_one_connection_for_requests_that_follow_each_other() throws Exception {
        var request = "GET /ok HTTP/1.1\r\n" + host() + "\r\n";
        var answer = bench.ask(
                Bench.ALLOWED, request + request + request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
        assertThat(answer.split("got 0", -1)).hasSize(4);
        assertThat(origin.heads).hasSize(3);
    }

    @Test
    void a_body_is_passed_on_with_its_length() throws Exception {
        var body = "x".repeat(300_000);
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream()
                    .write(("POST /ok HTTP/1.1\r\n" + host() + "Content-Length: 300000\r\nConnection: close\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(socket)).endsWith("got 300000");
        }
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 300000 received 10");
    }
}
