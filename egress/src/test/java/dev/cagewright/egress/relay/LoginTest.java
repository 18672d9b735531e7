package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.credential.Alarm;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.login.TokenAnswer;
import dev.cagewright.egress.login.TokenSource;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers of token end points over raw sockets: what the cage hears of them, whatever their origin does.
class LoginTest {
    private static final String TOKEN = "real-token-0123456789abcdef";
    private static final String JSON = "{\"access_token\":\"" + TOKEN + "\"}";
    private static final String DECOYED = "{\"access_token\":\"decoy-of-access_token\"}";

    private final Map<String, String> kept = new ConcurrentHashMap<>();
    private final List<String> renewed = new CopyOnWriteArrayList<>();

    /// What the origin says to the next request, and whether it closes then.
    private volatile String answer = "";

    private volatile boolean isFull;

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    /// A keeper whose disk may be full.
    private record Keeper(LoginTest test, Reading reading) implements TokenSource {
        @Override
        public Set<String> fields() {
            return Set.of("access_token", "refresh_token");
        }

        @Override
        public List<HeldSecret> renewable() {
            return List.of(Vault.secret("0", "decoy-of-refresh_token", "old-refresh-token-0123456789"));
        }

        @Override
        public Map<String, byte[]> keep(Map<String, SecretValue> tokens, Set<String> given) throws IOException {
            if (test.isFull) {
                throw new IOException("No space left on device");
            }
            var decoys = new HashMap<String, byte[]>();
            tokens.forEach((field, value) -> {
                test.kept.put(field, value.lend(bytes -> new String(bytes, StandardCharsets.US_ASCII)));
                decoys.put(field, ("decoy-of-" + field).getBytes(StandardCharsets.US_ASCII));
            });
            test.renewed.addAll(given);
            return decoys;
        }
    }

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(talk -> {
            if (!talk.head().isEmpty()) {
                talk.say(answer);
            }
        });
        var credentials = Credentials.of(
                List.of(),
                Alarm.NONE,
                (host, path) -> host.value().equals("a.test") && path.startsWith("/ok/auth")
                        ? Optional.of(new Keeper(
                                this,
                                path.equals("/ok/auth/token")
                                        ? TokenSource.Reading.STRICT
                                        : TokenSource.Reading.WATCHFUL))
                        : Optional.empty());
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(credentials));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private String ask(String path) throws Exception {
        return bench.ask(
                Bench.ALLOWED,
                "GET " + path + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nConnection: close\r\n\r\n");
    }

    private static String said(String fields, String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + fields + "\r\n" + body;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Content-Length: 46\r\n", "Content-Length: 46\r\nConnection: close\r\n", "Connection: close\r\n"
            })
    void I2_the_cage_hears_a_decoy_however_the_answer_ends(String fields) throws Exception {
        assertThat(JSON).hasSize(46);
        answer = said(fields, JSON);

        assertThat(ask("/ok/auth/token")).contains("200 OK").endsWith(DECOYED).doesNotContain(TOKEN);
        assertThat(kept).containsExactly(Map.entry("access_token", TOKEN));
        assertThat(renewed).isEmpty();
    }

    @Test
    void chunks_cut_anywhere_are_one_answer() throws Exception {
        var chunks = new StringBuilder();
        for (int i = 0; i < JSON.length(); i++) {
            chunks.append("1\r\n").append(JSON.charAt(i)).append("\r\n");
        }
        answer = said("Transfer-Encoding: chunked\r\n", chunks + "0\r\n\r\n");

        assertThat(ask("/ok/auth/token"))
                .contains("200 OK", "content-length: " + DECOYED.length())
                .endsWith(DECOYED);
    }

    @Test
    void another_host_and_another_path_are_left_alone() throws Exception {
        answer = said("Content-Length: 46\r\n", JSON);

        assertThat(ask("/ok/other")).endsWith(JSON);
        assertThat(kept).isEmpty();
    }

    @Test
    void tokens_at_another_path_of_the_host_are_taken_too() throws Exception {
        answer = said("Content-Length: 46\r\n", JSON);
        assertThat(ask("/ok/auth/elsewhere")).endsWith(DECOYED);

        answer = said("Content-Length: 21\r\n", "{\"device_token\":\"abc\"}".substring(0, 21));
        assertThat(ask("/ok/auth/elsewhere")).contains("device_token");
    }

    @Test
    void a_long_answer_at_another_path_passes_whole() throws Exception {
        var body = "[\"" + "x".repeat(TokenAnswer.MOST + 5000) + "\"]";
        answer = said(
                "Transfer-Encoding: chunked\r\n", Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");

        assertThat(ask("/ok/auth/elsewhere")).contains("200 OK", "x".repeat(TokenAnswer.MOST + 5000) + "\"]");
    }

    @Test
    void a_long_answer_of_the_end_point_is_refused() throws Exception {
        var body = "{\"x\":\"" + "x".repeat(TokenAnswer.MOST) + "\"}";
        answer = said("Content-Length: " + body.length() + "\r\n", body);

        assertThat(ask("/ok/auth/token"))
                .contains("403 Forbidden", "the answer of the token end point is longer than 262144 bytes");
        assertThat(bench.firstFound()).anyMatch(found -> found.contains("login.too_long"));
    }

    @Test
    void I2_a_token_a_second_time_is_refused() throws Exception {
        answer = said("Content-Length: 46\r\nX-Session: " + TOKEN + "\r\n", JSON);
        assertThat(ask("/ok/auth/token"))
                .contains("403 Forbidden", "a second time")
                .doesNotContain(TOKEN);

        var twice = "{\"access_token\":\"" + TOKEN + "\",\"note\":\"use " + TOKEN + "\"}";
        answer = said("Content-Length: " + twice.length() + "\r\n", twice);
        assertThat(ask("/ok/auth/token"))
                .contains("403 Forbidden", "a second time")
                .doesNotContain(TOKEN);
        assertThat(kept).isEmpty();
    }

    @Test
    void I2_tokens_that_cannot_be_kept_do_not_reach_the_cage() throws Exception {
        isFull = true;
        answer = said("Content-Length: 46\r\nConnection: close\r\n", JSON);

        assertThat(ask("/ok/auth/token"))
                .contains("403 Forbidden", "could not be kept, so they are not passed on: No space left on device")
                .doesNotContain(TOKEN);
    }

    @Test
    void an_end_point_that_leads_elsewhere_is_refused() throws Exception {
        answer = "HTTP/1.1 302 Found\r\nLocation: https://c.test/#access_token=" + TOKEN
                + "\r\nContent-Length: 0\r\n\r\n";

        assertThat(ask("/ok/auth/token"))
                .contains("403 Forbidden", "leads elsewhere")
                .doesNotContain(TOKEN);
    }

    @Test
    void an_error_passes_as_it_is() throws Exception {
        answer = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 33\r\n\r\n"
                + "{\"error\":\"authorization_pending\"}";

        assertThat(ask("/ok/auth/token")).contains("400 Bad Request").endsWith("{\"error\":\"authorization_pending\"}");
    }
}
