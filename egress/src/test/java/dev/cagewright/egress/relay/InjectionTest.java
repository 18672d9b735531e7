package dev.cagewright.egress.relay;

import static dev.cagewright.egress.relay.Vault.DECOY;
import static dev.cagewright.egress.relay.Vault.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.capture.Way;
import dev.cagewright.egress.credential.Binding;
import dev.cagewright.egress.credential.Bound;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.secrets.aws.AwsAuthorization;
import dev.cagewright.secrets.aws.AwsRequest;
import dev.cagewright.secrets.aws.AwsSigning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decoys in requests, over raw sockets: what the origin gets in their places, and who gets nothing.
class InjectionTest {
    private final Vault vault = new Vault();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(InjectionTest::echo);
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

    /// Answers with the body that it got; remembers it.
    private static void echo(Origin.Talk talk) throws IOException {
        while (true) {
            var head = talk.head();
            if (head.isEmpty()) {
                return;
            }
            var length = head.toLowerCase(Locale.ROOT).replaceAll("(?s).*\\|content-length: (\\d+).*", "$1");
            var body = "";
            if (length.matches("\\d+")) {
                body = talk.bytes(Integer.parseInt(length));
            } else if (head.toLowerCase(Locale.ROOT).contains("|transfer-encoding: chunked")) {
                body = chunks(talk);
            }
            talk.heads().add("body: " + body);
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }
    }

    private static String chunks(Origin.Talk talk) throws IOException {
        var body = new StringBuilder();
        while (true) {
            int size = Integer.parseInt(line(talk), 16);
            body.append(talk.bytes(size));
            line(talk);
            if (size == 0) {
                return body.toString();
            }
        }
    }

    private static String line(Origin.Talk talk) throws IOException {
        var line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append(talk.bytes(1));
        }
        return line.substring(0, line.length() - 2);
    }

    private String get(String target, String... fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n"
                + String.join(
                        "", Arrays.stream(fields).map(field -> field + "\r\n").toList())
                + "\r\n";
    }

    private String post(String type, String body) {
        return "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\nContent-Type: " + type
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String ask(String request) throws IOException {
        return bench.ask(Bench.ALLOWED, request);
    }

    @Test
    void the_origin_gets_the_value_in_every_form_of_a_header() throws Exception {
        assertThat(ask(get(
                        "/ok",
                        "X-Api-Key: " + DECOY,
                        "Authorization: Bearer " + DECOY,
                        "Proxy-Auth: Basic " + base64("me:" + DECOY),
                        "X-Pair: basic " + base64(DECOY + ":x"))))
                .startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads.getFirst())
                .contains(
                        "|X-Api-Key: " + VALUE,
                        "|Authorization: Bearer " + VALUE,
                        "|Proxy-Auth: Basic " + base64("me:" + VALUE),
                        "|X-Pair: Basic " + base64(VALUE + ":x"))
                .doesNotContain(DECOY);
        assertThat(bench.decisions)
                .containsExactlyInAnyOrder(
                        "allow HttpRequest[method=GET, host=a.test, port=" + bench.port + ", path=/ok]",
                        "allow SecretUse[secret=KEY, host=a.test]");
        assertThat(bench.nextEnd()).startsWith("200 Complete");
        assertThat(bench.nextEnd()).startsWith("Complete");
        assertThat(vault.alarms).isEmpty();
    }

    @Test
    void a_request_without_a_decoy_uses_no_secret() throws Exception {
        assertThat(ask(get("/ok", "X-Api-Key: sk-live-DecoyDecoyDecoy2"))).startsWith("HTTP/1.1 200 OK");
        assertThat(bench.decisions).hasSize(1);
        assertThat(origin.heads.getFirst()).contains("DecoyDecoyDecoy2");
    }

    @Test
    void a_decoy_where_its_secret_is_not_bound_is_a_403_on_record_and_reaches_nobody() throws Exception {
        var answer = ask(get("/ok?key=" + DECOY));
        assertThat(answer)
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("urn:cagewright:problem:credential", "the decoy of the secret KEY is in the query")
                .doesNotContain(VALUE);
        assertThat(origin.heads).isEmpty();
        assertThat(bench.nextEnd()).startsWith("403 Stopped[kind=decoys.place]");
        bench.close();
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("decoys.place") && !one.contains(VALUE));
        assertThat(vault.alarms).containsExactly("KEY bench-1");
    }

    @Test
    void path_and_query_carry_the_value_where_they_may() throws Exception {
        bench(vault.of(Vault.bound(
                Vault.secret("KEY", DECOY, "a b/c?d&e=f+g%h-0123"),
                Scheme.HTTP,
                origin.port(),
                new Place.Query(),
                new Place.Path())));
        ask(get("/ok/" + DECOY + "/x?k=" + DECOY + "&l=" + DECOY));
        assertThat(origin.heads.getFirst())
                .startsWith("GET /ok/a%20b%2Fc%3Fd&e=f+g%25h-0123/x"
                        + "?k=a%20b%2Fc%3Fd%26e%3Df%2Bg%25h-0123&l=a%20b%2Fc%3Fd%26e%3Df%2Bg%25h-0123 HTTP/1.1");
    }

    @Test
    void a_json_body_gets_the_value_escaped_and_its_new_length() throws Exception {
        bench(vault.of(Vault.bound(
                Vault.secret("KEY", DECOY, "quote\"back\\slash-0123456789"),
                Scheme.HTTP,
                origin.port(),
                new Place.Body())));
        ask(post("application/json", "{\"key\":\"" + DECOY + "\"}"));
        assertThat(origin.heads).last().isEqualTo("body: {\"key\":\"quote\\\"back\\\\slash-0123456789\"}");
        ask(post("application/x-www-form-urlencoded", "a=1&key=" + DECOY));
        assertThat(origin.heads).last().isEqualTo("body: a=1&key=quote%22back%5Cslash-0123456789");
        assertThat(ask(post("text/plain", DECOY)))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("neither JSON nor a form");
    }

    /// A request as a client with decoys signs it, and with what the origin should get in its place.
    private String signed(String id, String key, String body) {
        var fields = List.of(Map.entry("Host", "a.test:" + bench.port), Map.entry("X-Amz-Date", "20150830T123600Z"));
        var hash = AwsSigning.hash(body.getBytes(StandardCharsets.US_ASCII));
        var request = new AwsRequest(body.isEmpty() ? "GET" : "POST", "/ok/a%20b?y=2&x=1", fields, hash);
        var authorization =
                new AwsAuthorization(id, "20150830/us-east-1/service/aws4_request", List.of("host", "x-amz-date"), "");
        return authorization
                .with(AwsSigning.signature(
                                authorization,
                                request,
                                AwsRequest.PathForm.TWICE,
                                key.getBytes(StandardCharsets.US_ASCII))
                        .orElseThrow())
                .field();
    }

    @Test
    void a_request_signed_with_decoys_is_signed_anew_with_the_values() throws Exception {
        var id = "AKIADECOYDECOYDECOY1";
        var realId = "AKIAREALREALREALREAL";
        bench(vault.of(
                Vault.bound(Vault.secret("USER", id, realId), Scheme.HTTP, origin.port(), Vault.header()),
                Vault.bound(Vault.secret("KEY", DECOY, VALUE), Scheme.HTTP, origin.port(), Vault.header())));
        for (var body : List.of("", "Action=List")) {
            var head = (body.isEmpty() ? "GET" : "POST") + " /ok/a%20b?y=2&x=1 HTTP/1.1\r\nHost: a.test:" + bench.port
                    + "\r\nX-Amz-Date: 20150830T123600Z\r\nConnection: close\r\nAuthorization: ";
            var rest = (body.isEmpty() ? "" : "\r\nContent-Length: " + body.length()) + "\r\n\r\n" + body;
            assertThat(ask(head + signed(id, DECOY, body) + rest)).startsWith("HTTP/1.1 200 OK");
            assertThat(origin.heads.get(origin.heads.size() - 2)).contains(signed(realId, VALUE, body));
            assertThat(ask(head + signed(id, "another key, no decoy", body) + rest))
                    .startsWith("HTTP/1.1 403 Forbidden")
                    .contains("cannot be signed anew");
        }
        assertThat(bench.decisions)
                .contains("allow SecretUse[secret=USER, host=a.test]", "allow SecretUse[secret=KEY, host=a.test]");
    }

    @Test
    void B087_a_secret_bound_twice_is_used_on_both_hosts_and_nowhere_else() throws Exception {
        var secret = Vault.secret("KEY", DECOY, VALUE);
        var elsewhere = new Binding(
                Scheme.HTTPS, HostPattern.parse("host", "b.test"), 443, new Place.Header(Optional.of("X-Other")));
        var here = new Binding(
                Scheme.HTTP,
                HostPattern.parse("host", "a.test"),
                origin.port(),
                new Place.Header(Optional.of("X-Here")));
        bench(vault.of(new Bound(secret, List.of(elsewhere, here))));
        assertThat(ask(get("/ok", "X-Here: " + DECOY))).startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads.getFirst()).contains("|X-Here: " + VALUE);
        assertThat(ask(get("/ok", "X-Other: " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .contains("other parts of it only");
        bench(vault.of(new Bound(secret, List.of(elsewhere))));
        assertThat(ask(get("/ok", "X-Other: " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .contains("no entry of credentials lets it go there");
        assertThat(origin.heads).hasSize(2);
    }

    @Test
    void B094_scheme_port_and_host_have_to_be_the_bound_ones() throws Exception {
        var other = origin.port() == 8443 ? 8444 : 8443;
        bench(vault.key(Scheme.HTTP, other, Vault.header()));
        assertThat(ask(get("/ok", "X-Api-Key: " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .contains("other ports of that host only");
        bench(vault.key(Scheme.HTTPS, origin.port(), Vault.header()));
        assertThat(ask(get("/ok", "X-Api-Key: " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .contains("by https only");
        bench.close();
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("decoys.clear"));
        assertThat(origin.heads).isEmpty();
        assertThat(vault.alarms).hasSize(2);
    }

    @Test
    void B085_a_decoy_cut_anywhere_over_two_writes_and_behind_long_fields_is_replaced() throws Exception {
        for (int padding : new int[] {0, 1000, 4070, 8160, 16_360}) {
            var request = get("/ok", "X-Padding: " + "p".repeat(padding), "X-Api-Key: " + DECOY);
            int at = request.indexOf(DECOY);
            for (int cut = at; cut <= at + DECOY.length(); cut += 5) {
                try (var socket = bench.connect(Bench.ALLOWED)) {
                    socket.setTcpNoDelay(true);
                    socket.getOutputStream().write(request.substring(0, cut).getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    socket.getOutputStream().write(request.substring(cut).getBytes(StandardCharsets.US_ASCII));
                    assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 200 OK");
                }
                assertThat(origin.heads.get(origin.heads.size() - 2)).contains("|X-Api-Key: " + VALUE);
            }
        }
    }

    @Test
    void B085_a_body_in_chunks_cut_anywhere_carries_the_value() throws Exception {
        bench(vault.key(Scheme.HTTP, origin.port(), new Place.Body()));
        var body = "{\"key\":\"" + DECOY + "\"}";
        for (int cut = 1; cut < body.length(); cut++) {
            var request = "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                    + "\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + chunk(body.substring(0, cut)) + chunk(body.substring(cut)) + "0\r\n\r\n";
            assertThat(ask(request)).startsWith("HTTP/1.1 200 OK");
            assertThat(origin.heads).last().isEqualTo("body: {\"key\":\"" + VALUE + "\"}");
        }
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    @Test
    void a_use_that_the_policy_denies_is_the_denial_of_the_request() throws Exception {
        bench(vault.of(Vault.bound(Vault.secret("UNNAMED", DECOY, VALUE), Scheme.HTTP, origin.port(), Vault.header())));
        assertThat(ask(get("/ok", "X-Api-Key: " + DECOY)))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("urn:cagewright:problem:denied", "no entry of credentials has this name");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_decoy_in_a_request_that_is_denied_anyway_is_on_record_too() throws Exception {
        assertThat(ask(get("/no?k=" + DECOY))).startsWith("HTTP/1.1 403").contains("problem:denied");
        assertThat(vault.alarms).containsExactly("KEY bench-1");
        assertThat(bench.decisions).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"base64", "hex", "reversed", "percent"})
    void a_decoy_in_another_spelling_is_seen(String spelling) throws Exception {
        var bytes = DECOY.getBytes(StandardCharsets.US_ASCII);
        var spelled = switch (spelling) {
            case "base64" -> base64("x" + DECOY);
            case "hex" -> HexFormat.of().formatHex(bytes);
            case "reversed" -> new StringBuilder(DECOY).reverse().toString();
            default -> "%" + HexFormat.ofDelimiter("%").formatHex(bytes);
        };
        assertThat(ask(get("/ok?q=" + spelled))).startsWith("HTTP/1.1 403").contains("problem:credential");
        assertThat(ask(post("text/plain", spelled))).startsWith("HTTP/1.1 403").contains("problem:credential");
        assertThat(vault.alarms).hasSize(2);
    }

    @Test
    void B097_no_answer_of_our_own_shows_what_was_sent() throws Exception {
        origin.close();
        var answer = ask(get("/ok", "Authorization: Bearer " + DECOY, "X-Api-Key: " + DECOY));
        assertThat(answer).startsWith("HTTP/1.1 502").doesNotContain(VALUE, DECOY);
        assertThat(ask("GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nX-Api-Key: " + DECOY
                        + "\r\nbad\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .doesNotContain(DECOY);
        assertThat(ask(get("/no", "X-Api-Key: " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .doesNotContain(VALUE, DECOY);
        bench.close();
        assertThat(bench.ends.toString() + bench.decisions + bench.found).doesNotContain(VALUE);
    }

    @Test
    void B088_what_is_kept_of_a_request_has_the_decoy_and_never_the_value() throws Exception {
        bench.close();
        var film = new CaptureTest.Film();
        bench = new Bench(
                origin.port(),
                Optional.empty(),
                Bench.Terms.USUAL.with(vault.key(Scheme.HTTP, origin.port(), new Place.Query(), new Place.Body())),
                film);
        var body = "{\"k\":\"" + DECOY + "\"}";
        ask("POST /ok?note=" + DECOY + " HTTP/1.1\r\nHost: a.test:" + bench.port
                + "\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body);
        assertThat(origin.heads.getFirst()).contains("note=" + VALUE);
        bench.nextEnd();
        assertThat(film.pieces.toString()).contains(DECOY).doesNotContain(VALUE);
        assertThat(film.body(Way.REQUEST)).isEqualTo(body.substring(0, 10));
        assertThat(film.body(Way.ANSWER)).isEqualTo(body.substring(0, 10));
        bench.close();
        assertThat(bench.ends.toString() + bench.decisions + bench.found).doesNotContain(VALUE);
    }

    @Test
    void inspectors_that_block_credentials_do_not_take_a_decoy_in_its_place_for_one() throws Exception {
        var token = "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";
        var credentials =
                vault.of(Vault.bound(Vault.secret("KEY", token, VALUE), Scheme.HTTP, origin.port(), Vault.header()));
        bench.close();
        bench = new Bench(origin.port(), Optional.empty(), Bench.INSPECTED.with(credentials));
        assertThat(ask(get("/ok", "X-Note: " + token))).startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads.getFirst()).contains("|X-Note: " + VALUE);
        bench.close();
        bench = new Bench(origin.port(), Optional.empty(), Bench.INSPECTED);
        assertThat(ask(get("/ok", "X-Note: " + token)))
                .startsWith("HTTP/1.1 403")
                .contains("secrets.github_token");
    }

    /// A form, and a body that comes in pieces, so that it is judged when its head is gone.
    private List<String> bodies() {
        var chunk = "x=1&key=" + DECOY;
        return List.of(
                post("application/x-www-form-urlencoded", chunk),
                "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n0\r\n\r\n");
    }

    @Test
    void no_secret_goes_with_what_only_a_grant_allows() throws Exception {
        bench(vault.key(Scheme.HTTP, origin.port(), Vault.header(), new Place.Body()));
        bench.observing = new RuleId("grant:s-1");
        bench.observed = Action.HttpRequest.class::isInstance;
        assertThat(ask(get("/any"))).startsWith("HTTP/1.1 200");

        assertThat(ask(get("/any", "Authorization: Bearer " + DECOY)))
                .startsWith("HTTP/1.1 403")
                .contains("grant:no-secret");
        assertThat(ask(get("/any", "Authorization: Basic " + base64("me:" + DECOY))))
                .startsWith("HTTP/1.1 403");
        for (var body : bodies()) {
            assertThat(ask(body)).startsWith("HTTP/1.1 403").contains("grant:no-secret");
        }
        assertThat(origin.heads).noneMatch(head -> head.contains(VALUE));

        bench.observed = _ -> false;
        for (var body : bodies()) {
            assertThat(ask(body)).startsWith("HTTP/1.1 200");
        }
        assertThat(origin.heads).anyMatch(head -> head.contains("body: x=1&key=" + VALUE));
    }
}
