package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.egress.inspect.Inspector;
import dev.cagewright.egress.inspect.Look;
import dev.cagewright.egress.inspect.Message;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that are looked at on their way, over raw sockets: what the origin gets to see of them.
class ScrutinyTest {
    static final String TOKEN = "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";
    static final String NEARLY = "ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18";

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(ScrutinyTest::echo);
        bench = bench(Reaction.BLOCK);
    }

    private Bench bench(Reaction secrets) throws Exception {
        return new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(Bench.lookingForSecrets(secrets)));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    /// Answers with what it got.
    private static void echo(Origin.Talk talk) throws IOException {
        while (true) {
            var head = talk.head();
            if (head.isEmpty()) {
                return;
            }
            var length = head.replaceAll("(?is).*content-length: (\\d+).*", "$1");
            var body = length.matches("\\d+") ? talk.bytes(Integer.parseInt(length)) : "";
            talk.heads().add("body of " + body.length());
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    }

    private String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    @Test
    void a_body_with_a_credential_is_a_403_that_names_the_kind_and_reaches_nobody() throws Exception {
        var answer = bench.ask(Bench.ALLOWED, post("/ok", "{\"note\":\"" + TOKEN + "\"}"));
        assertThat(answer)
                .startsWith("HTTP/1.1 403 Forbidden\r\n")
                .contains(
                        "application/problem+json",
                        "urn:cagewright:problem:inspection",
                        "secrets.github_token",
                        "\"rule\":\"inspect.secrets\"",
                        "\"decision\":\"bench-1\"")
                .doesNotContain("zQWBu");
        assertThat(origin.heads).isEmpty();
        assertThat(bench.nextEnd()).isEqualTo("403 Stopped[kind=secrets.github_token] sent 0 received 0");
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("BLOCK") && !one.contains("zQWBu"));
    }

    @Test
    void the_same_body_without_a_credential_passes_whole() throws Exception {
        var body = "{\"note\":\"" + NEARLY + "\"}";
        assertThat(bench.ask(Bench.ALLOWED, post("/ok", body))).startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads).last().isEqualTo("body of " + body.length());
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent " + body.length() + " received 2");
        assertThat(bench.found).isEmpty();
    }

    private void openOwn(Inspector own) throws Exception {
        bench.close();
        bench = new Bench(
                origin.port(),
                Optional.empty(),
                Bench.Terms.USUAL.with(Inspection.of(InspectSection.SILENT, List.of(own), _ -> false)));
    }

    /// An inspector of one's own that names itself, and clears bodies, as a test says.
    private record Own(Supplier<String> names, LongSupplier clears) implements Inspector {
        @Override
        public String name() {
            return names.get();
        }

        @Override
        public Look begin(Message message) {
            return new Look() {
                @Override
                public long clearedTo() {
                    return clears.getAsLong();
                }
            };
        }
    }

    private static long fail() {
        throw new IllegalStateException("not today");
    }

    @Test
    void an_inspector_that_fails_to_name_itself_or_to_clear_lets_nothing_through() throws Exception {
        for (var own : List.of(new Own(() -> "own" + fail(), () -> 0), new Own(() -> "own", ScrutinyTest::fail))) {
            openOwn(own);
            assertThat(bench.ask(Bench.ALLOWED, post("/ok", "x".repeat(100_000))))
                    .startsWith("HTTP/1.1 403")
                    .contains("body.failed");
            assertThat(bench.nextEnd()).startsWith("403 Stopped[kind=body.failed] sent 0");
        }
        openOwn(new Own(() -> "own", () -> Long.MAX_VALUE));
        assertThat(bench.ask(Bench.ALLOWED, post("/ok", "x".repeat(100_000)))).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void what_is_only_flagged_passes_and_is_on_record() throws Exception {
        bench.close();
        bench = bench(Reaction.FLAG);
        assertThat(bench.ask(Bench.ALLOWED, post("/ok", TOKEN))).startsWith("HTTP/1.1 200 OK");
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("secrets.github_token"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /ok?t=T HTTP/1.1|H||",
                "GET /ok/T HTTP/1.1|H||",
                "GET /ok HTTP/1.1|H|X-Note: T||",
                "GET /ok HTTP/1.1|H|User-Agent: a/1 (T)||"
            })
    void a_credential_in_the_head_is_a_403(String request) throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                request.replace("T?", "")
                        .replace("|H|", "|Host: a.test:" + bench.port + "|Connection: close|")
                        .replace("t=T", "t=" + TOKEN)
                        .replace("/T", "/" + TOKEN)
                        .replace(": T", ": " + TOKEN)
                        .replace("(T", "(" + TOKEN)
                        .replace("|", "\r\n"));
        assertThat(answer).startsWith("HTTP/1.1 403 Forbidden").contains("secrets.github_token");
        assertThat(origin.heads).isEmpty();
    }

    @Test
    void a_credential_where_one_belongs_passes() throws Exception {
        var answer = bench.ask(
                Bench.ALLOWED,
                "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\nAuthorization: Bearer "
                        + TOKEN + "\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 OK");
        assertThat(bench.found).isEmpty();
    }

    @Test
    void a_long_body_is_stopped_before_the_credential_leaves() throws Exception {
        var body = "x ".repeat(150_000) + TOKEN + " y".repeat(150_000);
        try (var socket = bench.connect(Bench.ALLOWED)) {
            socket.getOutputStream().write(post("/ok", body).getBytes(StandardCharsets.US_ASCII));
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 403 Forbidden");
        }
        assertThat(bench.nextEnd()).matches("403 Stopped\\[kind=secrets.github_token\\] sent [0-9]{1,6} received 0");
    }

    @Test
    void a_long_body_without_one_passes_whole() throws Exception {
        var body = "x ".repeat(150_000) + NEARLY + " y".repeat(150_000);
        assertThat(bench.ask(Bench.ALLOWED, post("/ok", body))).startsWith("HTTP/1.1 200 OK");
        assertThat(origin.heads).last().isEqualTo("body of " + body.length());
    }

    private Bench bench(InspectSection section, Origin at) throws Exception {
        return new Bench(
                at.port(), Optional.empty(), Bench.Terms.USUAL.with(Inspection.of(section, List.of(), _ -> false)));
    }

    private static InspectSection section(Reaction types, Reaction bombs) {
        var none = InspectSection.SILENT;
        return new InspectSection(
                none.secrets(),
                none.encoded(),
                none.auth(),
                none.entropy(),
                Optional.of(types),
                Optional.of(bombs),
                none.dns(),
                none.fetchTools(),
                none.bodyMax(),
                none.custom(),
                Optional.empty());
    }

    private static Origin answering(String fields, byte[] body) throws IOException {
        return Origin.clear(talk -> {
            talk.head();
            talk.say("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + body.length + "\r\n\r\n");
            talk.socket().getOutputStream().write(body);
            talk.head();
        });
    }

    private String get() {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n";
    }

    @Test
    void B036_an_answer_that_is_a_bomb_is_cut_off_and_others_go_on() throws Exception {
        bench.close();
        var bomb = new ByteArrayOutputStream();
        try (var packer = new GZIPOutputStream(bomb)) {
            packer.write(new byte[64 << 20]);
        }
        try (var other = answering("Content-Encoding: gzip\r\n", bomb.toByteArray())) {
            bench = bench(section(Reaction.OFF, Reaction.BLOCK), other);
            assertThat(cut(get(), bomb.size())).isTrue();
            assertThat(bench.nextEnd()).startsWith("200 Stopped[kind=bombs.ratio] sent 0 received ");
            bench.close();
            assertThat(bench.firstFound()).hasSize(1);
            bench = bench(section(Reaction.OFF, Reaction.FLAG), other);
            assertThat(cut(get(), bomb.size())).isFalse();
            assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received " + bomb.size());
            bench.close();
            assertThat(bench.firstFound()).hasSize(1);
        }
    }

    /// Did the answer end before its body was whole?
    private boolean cut(String request, int length) {
        try {
            var answer = bench.ask(Bench.ALLOWED, request);
            return answer.length() - answer.indexOf("\r\n\r\n") - 4 < length;
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void an_answer_that_is_not_what_it_says_is_cut_off_and_its_twin_passes_whole() throws Exception {
        bench.close();
        var page = "<p>hello</p>".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        try (var lies = answering("Content-Type: application/json\r\n", page);
                var says = answering("Content-Type: text/html\r\n", page)) {
            bench = bench(section(Reaction.BLOCK, Reaction.OFF), lies);
            assertThat(cut(get(), page.length)).isTrue();
            assertThat(bench.nextEnd()).isEqualTo("200 Stopped[kind=types.not_json] sent 0 received 0");
            bench.close();
            bench = bench(section(Reaction.BLOCK, Reaction.OFF), says);
            assertThat(cut(get(), page.length)).isFalse();
            assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent 0 received " + page.length);
        }
    }

    @Test
    void a_body_in_many_small_pieces_passes_in_order() throws Exception {
        var body = "0123456789 AKIA sk- ghp_".repeat(40_000);
        try (var socket = bench.connect(Bench.ALLOWED)) {
            var out = socket.getOutputStream();
            var all = post("/ok", body).getBytes(StandardCharsets.US_ASCII);
            for (int at = 0; at < all.length; at += 1009) {
                out.write(all, at, Math.min(1009, all.length - at));
                out.flush();
            }
            assertThat(Bench.readAll(socket)).startsWith("HTTP/1.1 200 OK");
        }
        assertThat(bench.nextEnd()).isEqualTo("200 Complete[] sent " + body.length() + " received 2");
    }
}
