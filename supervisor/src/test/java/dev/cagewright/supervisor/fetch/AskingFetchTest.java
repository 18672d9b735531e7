package dev.cagewright.supervisor.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
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
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests of the host's that a person has to agree to.
class AskingFetchTest {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

    @TempDir
    private Path folder;

    private final List<Question> questions = new CopyOnWriteArrayList<>();
    private final AtomicInteger reached = new AtomicInteger();
    private final AtomicInteger reachedBefore = new AtomicInteger(-1);
    private final ServerSocket server;

    AskingFetchTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @BeforeEach
    void serve() {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (var socket = server.accept()) {
                    reached.incrementAndGet();
                    readAll(new DataInputStream(socket.getInputStream()));
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    /// With its body: an end of the connection before that is a reset, which may overtake the answer.
    private static void readAll(DataInputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        var length = LENGTH.matcher(head);
        in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /// Says the same to everything, a moment after it was asked.
    private final class Person implements Asker {
        private final Reply.Word word;

        Person(Reply.Word word) {
            this.word = word;
        }

        @Override
        public boolean reaches() {
            return true;
        }

        @Override
        public Asked ask(Question question, Answers answers) throws IOException {
            questions.add(question);
            reachedBefore.set(reached.get());
            answers.reply(word, new Scope.Once(), "test");
            return () -> {};
        }
    }

    private HostFetch.Ended fetch(String method, List<Asker> askers)
            throws IOException, PolicySyntaxException, BadPolicyException, UnavailableLogException, DeniedException,
                    ConfinementException, InterruptedException {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var file = Files.writeString(
                folder.resolve("p.yaml"),
                "tool: t\nnet: {hosts: [{host: api.test, port: " + server.getLocalPort()
                        + ", addresses: [127.0.0.1], methods: [GET, POST], paths: [\"/**\"]}]}\n"
                        + "approval: {timeout: 60s, require_for: [{http.request: {methods: [POST]}}]}\n");
        var policy = PolicyInForce.of(
                PolicyFiles.of(folders).layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
        var id = new SessionId("abcdefghij");
        var place = new Session.Place(
                folders.session(id), new OwnFiles(folders, folder.resolve("audit.jsonl"), policy.files()));
        var action = new Action.HttpRequest(method, new HostName("api.test"), server.getLocalPort(), "/x");
        var request = new HostRequest(
                HostRequest.Scheme.HTTP,
                method,
                "/x",
                List.of(),
                Optional.of("pay alice".getBytes(StandardCharsets.US_ASCII)));
        try (var session = Session.open(id, policy.terms(), place, policy::reasons, askers)) {
            return new HostFetch(session, new HostClient.Limits(1 << 20, Duration.ofSeconds(60)), RunSecrets.NONE)
                    .fetch(action, request, new ByteArrayOutputStream());
        }
    }

    @Test
    void what_needs_approval_waits_and_goes_when_somebody_agrees() throws Exception, InterruptedException {
        assertThat(fetch("POST", List.of(new Person(Reply.Word.AGREED)))
                        .answer()
                        .status())
                .isEqualTo(200);
        assertThat(reachedBefore).hasValue(0);
        assertThat(reached).hasValue(1);
        assertThat(questions).singleElement().satisfies(question -> {
            assertThat(question.what()).contains("POST api.test:");
            assertThat(String.join("\n", question.lines())).contains("pay alice");
        });
    }

    @Test
    void what_somebody_refuses_reaches_nobody() throws Exception, InterruptedException {
        var ended = fetch("POST", List.of(new Person(Reply.Word.REFUSED)));
        assertThat(ended.refusal()).hasValueSatisfying(problem -> {
            assertThat(problem.detail()).isEqualTo("the person asked said no");
            assertThat(problem.rule()).contains("approval.require_for[0]");
        });
        assertThat(reached).hasValue(0);
    }

    @Test
    void where_nobody_can_be_asked_it_is_denied_at_once_and_the_rest_goes() throws Exception, InterruptedException {
        assertThat(fetch("POST", List.of()).refusal())
                .hasValueSatisfying(
                        problem -> assertThat(problem.detail()).isEqualTo("needs approval, and nobody agreed"));
        assertThat(reached).hasValue(0);
        assertThat(fetch("GET", List.of()).answer().status()).isEqualTo(200);
    }
}
