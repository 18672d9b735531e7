package dev.cagewright.supervisor.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.RevocationFile;
import dev.cagewright.supervisor.token.TokenOffice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests of the host's to a server in the clear on this machine.
class TokenFetchTest {
    private static final HostClient.Limits LIMITS = new HostClient.Limits(1 << 20, Duration.ofSeconds(60));

    @TempDir
    private Path folder;

    private final TokenKey key = TokenKey.of(new byte[TokenKey.LENGTH]);
    private final AtomicInteger asked = new AtomicInteger();
    private final ServerSocket server;

    TokenFetchTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /// Answers `/endless` without an end, and everything else with a line.
    @BeforeEach
    void serve() {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    var socket = server.accept();
                    Thread.ofVirtual().start(() -> answer(socket));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    private void answer(Socket socket) {
        try (socket) {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = socket.getInputStream().read();
                if (b < 0) {
                    return;
                }
                head.append((char) b);
            }
            asked.incrementAndGet();
            var out = socket.getOutputStream();
            if (head.indexOf("/endless") < 0) {
                say(out, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n\r\nhello\n");
                return;
            }
            say(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            while (true) {
                say(out, "5\r\ntick\n\r\n");
                Thread.sleep(Duration.ofMillis(20));
            }
        } catch (IOException | InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private StateFolders folders() {
        return new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private PolicyInForce policy() throws IOException, PolicySyntaxException, BadPolicyException {
        var file = Files.writeString(
                folder.resolve("p.yaml"),
                "tool: t\nnet: {hosts: [{host: api.test, port: " + server.getLocalPort()
                        + ", addresses: [127.0.0.1], methods: [GET], paths: [\"/**\"]}]}\n");
        var files = PolicyFiles.of(folders());
        return PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
    }

    private Session session(Optional<TokenJudge> token)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException {
        var policy = policy();
        var id = new SessionId("abcdefghij");
        var place = new Session.Place(
                folders().session(id), new OwnFiles(folders(), folder.resolve("audit.jsonl"), policy.files()));
        var terms = policy.terms();
        return Session.open(id, token.map(terms::under).orElse(terms), place, policy::reasons);
    }

    private TokenOffice office() throws IOException {
        var list = RevocationFile.of(folders(), key, Optional.empty(), InstantSource.system());
        return new TokenOffice(key, list, (_, _) -> {}, "host");
    }

    private TokenJudge token(Rights rights) throws IOException, RefusedTokenException {
        long now = InstantSource.system().instant().getEpochSecond();
        var text = office().mint(new Link(new RevId("root"), Optional.empty(), now, now + 600, rights));
        return TokenJudge.of(office().verifier(), text);
    }

    private static Rights rights() {
        return Rights.NONE
                .with(Axis.ACTIONS, List.of("http.request"))
                .with(Axis.HOSTS, List.of("api.test"))
                .with(Axis.METHODS, List.of("GET"))
                .with(Axis.PATHS, List.of("/a/**"));
    }

    private HostFetch.Ended fetch(Session session, String path, OutputStream out)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var action = new Action.HttpRequest("GET", new HostName("api.test"), server.getLocalPort(), path);
        var request = new HostRequest(HostRequest.Scheme.HTTP, "GET", path, List.of(), Optional.empty());
        return new HostFetch(session, LIMITS, RunSecrets.NONE).fetch(action, request, out);
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("audit.jsonl"));
    }

    @Test
    void an_allowed_request_is_answered_and_on_record_like_a_cages() throws Exception, InterruptedException {
        var out = new ByteArrayOutputStream();
        try (var session = session(Optional.of(token(rights())))) {
            var ended = fetch(session, "/a/x", out);
            assertThat(ended.refusal()).isEmpty();
            assertThat(ended.answer().status()).isEqualTo(200);
            assertThat(ended.answer().cut()).isEmpty();
        }
        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("hello\n");
        assertThat(asked).hasValue(1);
        assertThat(log()).contains("\"token[root]\"", "\"received_bytes\":6").contains("http.request");
    }

    @Test
    void what_the_token_or_the_policy_does_not_grant_never_reaches_anybody() throws Exception, InterruptedException {
        try (var session = session(Optional.of(token(rights())))) {
            assertThatThrownBy(() -> fetch(session, "/b", OutputStream.nullOutputStream()))
                    .isInstanceOf(DeniedException.class)
                    .hasMessage("TOKEN: the token root does not carry the right: its link root (1 of 1) grants only"
                            + " /a/** in paths (rule token:paths)");
        }
        assertThat(asked).hasValue(0);
        assertThat(log()).contains("token:paths");
    }

    @Test
    void B189_a_revoked_token_is_denied_and_an_answer_under_way_is_cut() throws Exception, InterruptedException {
        var judge = token(rights());
        var out = new ByteArrayOutputStream();
        try (var session = session(Optional.of(judge))) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (out.size() < 20) {
                        Thread.sleep(Duration.ofMillis(20));
                    }
                    office().revoke(new RevId("root"));
                } catch (IOException | InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });
            var ended = fetch(session, "/a/endless", out);
            assertThat(ended.answer().cut()).contains("the connection ended before it was whole");
            assertThatThrownBy(() -> fetch(session, "/a/x", OutputStream.nullOutputStream()))
                    .isInstanceOf(DeniedException.class)
                    .hasMessage("TOKEN: the token root is revoked (rule token:revoked)");
        }
        assertThat(out.toString(StandardCharsets.US_ASCII)).startsWith("tick\ntick\n");
        assertThat(log()).contains("it is allowed no longer: the token root is revoked");
        assertThat(asked).hasValue(1);
    }

    @Test
    void the_bounds_of_a_token_are_counted() throws Exception, InterruptedException {
        var bound = Budget.parseRequests("requests", "2/day");
        var rights = rights().withBudget(new Budget(Optional.of(bound), Optional.empty(), Optional.empty()));
        try (var session = session(Optional.of(token(rights)))) {
            for (int i = 0; i < 2; i++) {
                assertThat(fetch(session, "/a/x", OutputStream.nullOutputStream())
                                .refusal())
                        .isEmpty();
            }
            var third = fetch(session, "/a/x", OutputStream.nullOutputStream());
            assertThat(third.refusal()).hasValueSatisfying(problem -> {
                assertThat(problem.kind()).isEqualTo("budget");
                assertThat(problem.rule()).contains("token[root].requests");
                assertThat(problem.isDenial()).isTrue();
            });
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void an_origin_that_cannot_be_had_is_no_denial_and_nothing_is_handed_on() throws Exception, InterruptedException {
        server.close();
        var out = new ByteArrayOutputStream();
        try (var session = session(Optional.empty())) {
            var ended = fetch(session, "/a/x", out);
            assertThat(ended.refusal()).hasValueSatisfying(problem -> {
                assertThat(problem.kind()).isEqualTo("upstream");
                assertThat(problem.isDenial()).isFalse();
            });
        }
        assertThat(out.size()).isZero();
    }
}
