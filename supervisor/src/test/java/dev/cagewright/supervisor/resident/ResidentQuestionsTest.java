package dev.cagewright.supervisor.resident;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a client asks the background supervisor besides programs, frame by frame, with a real cage and a real origin.
@SuppressWarnings("NullAway") // set before each test
class ResidentQuestionsTest {
    private static final String POLICY = """
            tool: web
            min_isolation: namespaces
            fs: {mounts: [{path: /workspace, mode: rw}]}
            net:
              hosts:
                - {host: origin.test, port: PORT, methods: [GET, POST], paths: ["/ok/**"], addresses: [127.0.0.1]}
            exec: {allowlist: [ls]}
            """;

    private static final long PATIENCE = 60;

    @TempDir
    private Path root;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);
    private StateFolders folders;
    private HttpServer origin;
    private ResidentServer server;
    private ResidentClient client;

    @BeforeEach
    void start() throws IOException, ConfinementException, PolicySyntaxException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        origin.createContext("/", exchange -> {
            var body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/ok/never")) {
                asked.countDown();
                try {
                    answering.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
            var said = (exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                            + exchange.getRequestHeaders().getFirst("X-Word") + " " + body.length)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, said.length);
            try (var out = exchange.getResponseBody()) {
                out.write(said);
            }
        });
        origin.start();
        folders = new StateFolders(root.resolve("config/cagewright"), root.resolve("state/cagewright"));
        var workspace = Files.createDirectories(root.resolve("workspace")).toRealPath();
        NamedCages.of(folders)
                .create(
                        new NamedCage("web", workspace, Optional.empty(), List.of(), List.of()),
                        POLICY.replace("PORT", "" + origin.getAddress().getPort()));
        server = ResidentServer.start(folders, Map.of(), NamespacesRuntime::start)
                .orElseThrow();
        client = ResidentClient.find(folders).orElseThrow();
        client.up(new UpOrder("web", List.of(), CallerEnvironment.read()));
    }

    @AfterEach
    void end() throws IOException {
        answering.countDown();
        server.close();
        origin.stop(0);
    }

    /// What came on one connection.
    ///
    /// @param answers each JSON that was no end
    private record Came(List<JsonObject> answers, Optional<JsonObject> end, String out) {
        JsonObject refusal() {
            return answers.getLast();
        }
    }

    private Line ask(JsonObject.Builder question, Frame... more) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(client.address()));
        var line = new Line(channel);
        line.write(Frame.of(
                Frame.Kind.ASK, question.put("version", Conversation.VERSION).build()));
        for (Frame frame : more) {
            line.write(frame);
        }
        return line;
    }

    private static Came heard(Line line) throws IOException {
        var answers = new ArrayList<JsonObject>();
        var out = new ByteArrayOutputStream();
        var end = Optional.<JsonObject>empty();
        for (var frame = line.read(); frame.isPresent(); frame = line.read()) {
            switch (frame.get().kind()) {
                case ANSWER -> answers.add(frame.get().json());
                case OUT -> out.writeBytes(frame.get().bytes());
                case END -> end = Optional.of(frame.get().json());
                default -> throw new IOException("a frame " + frame.get().kind());
            }
        }
        return new Came(answers, end, out.toString(StandardCharsets.UTF_8));
    }

    private Came came(JsonObject.Builder question, Frame... more) throws IOException {
        try (var line = ask(question, more)) {
            return heard(line);
        }
    }

    private JsonObject.Builder fetch(String target) {
        return fetch(target, Map.of());
    }

    /// @param other members besides the usual, or instead of them
    private JsonObject.Builder fetch(String target, Map<String, Object> other) {
        var members = new TreeMap<String, Object>(Map.of(
                "ask", "fetch",
                "name", "web",
                "scheme", "http",
                "host", "origin.test",
                "port", origin.getAddress().getPort(),
                "target", target));
        members.putAll(other);
        var json = Json.object();
        members.forEach((name, value) -> json.put(name, Json.of(value)));
        return json;
    }

    @Test
    void what_is_still_sent_after_the_answer_does_not_cost_the_answer() throws IOException {
        try (var line = ask(Json.object().put("ask", "state"))) {
            for (int i = 0; i < 25; i++) {
                line.write(Frame.of(Frame.Kind.INPUT, new byte[0]));
                LockSupport.parkNanos(20_000_000);
            }

            assertThat(heard(line).answers()).isNotEmpty();
        }
    }

    @Test
    void a_request_that_the_policy_allows_is_made_and_its_answer_handed_on() throws IOException {
        var came = came(fetch("/ok/a?b=c", Map.of("headers", List.of("X-Word: yes"))));

        assertThat(came.out()).isEqualTo("GET /ok/a?b=c yes 0");
        assertThat(came.end().orElseThrow().write())
                .contains("\"status\":200", "\"content_type\":\"text/plain\"", "\"bytes\":19")
                .doesNotContain("cut");
    }

    @Test
    void a_body_comes_in_frames_and_more_than_fits_is_refused() throws IOException {
        var piece = Frame.of(Frame.Kind.INPUT, new byte[Frame.MOST_BYTES]);
        var last = Frame.of(Frame.Kind.INPUT_END, new byte[0]);

        assertThat(came(fetch("/ok/a", Map.of("method", "POST", "body", true)), piece, piece, last)
                        .out())
                .isEqualTo("POST /ok/a null 131072");
        try (var line = ask(fetch("/ok/a", Map.of("method", "POST", "body", true)))) {
            for (int i = 0; i <= 128; i++) {
                line.write(piece);
            }
            assertThat(heard(line).refusal().text("refused").orElseThrow())
                    .contains("after 8388608 bytes (expected: at most 8388608 bytes of input");
        }
    }

    @Test
    void a_request_that_no_rule_allows_is_denied_with_the_rule_and_the_change() throws IOException {
        var path = came(fetch("/no")).refusal();
        var method = came(fetch("/ok/a", Map.of("method", "PUT"))).refusal();
        var host = came(fetch("/ok/a", Map.of("host", "evil.test"))).refusal();

        assertThat(path.write()).contains("\"rules\":[\"net.hosts[0]\"", "paths: [/no]", "\"id\":\"");
        assertThat(method.write()).contains("methods: [PUT]");
        assertThat(host.write()).contains("no rule of net.hosts names this host", "{host: evil.test");
        assertThat(client.state().cages().getFirst().denials()).isEqualTo(3);
    }

    @Test
    void a_request_without_sense_is_refused_by_the_name_of_the_member() throws IOException {
        assertThat(refused(fetch("/ok/a b"))).startsWith("path: ");
        assertThat(refused(fetch("/ok/a", Map.of("scheme", "gopher")))).startsWith("scheme: ");
        assertThat(refused(fetch("/ok/a", Map.of("port", 65_536)))).startsWith("port: ");
        assertThat(refused(fetch("/ok/a", Map.of("headers", "X: y")))).startsWith("headers: ");
        assertThat(refused(fetch("/ok/a", Map.of("headers", List.of("X: y\r\nZ: w")))))
                .startsWith("--header: ");
        assertThat(refused(fetch("/ok/a", Map.of("most", 0)))).startsWith("most: ");
        assertThat(refused(fetch("/ok/a", Map.of("credential", "KEY"))))
                .startsWith("credential: no secret goes without TLS");
        assertThat(refused(fetch("/ok/a", Map.of("scheme", "https", "credential", "KEY"))))
                .startsWith("credential: the cage is lent no secret of this name");
        assertThat(refused(fetch("/ok/a", Map.of("name", "other")))).startsWith("other is not up");
    }

    private String refused(JsonObject.Builder question) throws IOException {
        return came(question).refusal().text("refused").orElseThrow();
    }

    @Test
    void a_request_ends_with_its_cage_and_with_whoever_asked_for_it() throws IOException, InterruptedException {
        try (var line = ask(fetch("/ok/never"))) {
            assertThat(asked.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
            client.stop("web");
            assertThat(heard(line).refusal().text("refused").orElseThrow()).startsWith("no answer: ");
        }
        client.up(new UpOrder("web", List.of(), CallerEnvironment.read()));
        try (var line = ask(fetch("/ok/never"))) {
            assertThat(line.read().orElseThrow().kind()).isEqualTo(Frame.Kind.ANSWER);
        }
        client.stop("web");
        assertThat(client.state().cages()).isEmpty();
    }

    @Test
    void events_are_the_logs_own_lines_the_newest_first_and_no_more_than_were_asked_for()
            throws IOException, JsonSyntaxException {
        var session = client.state().cages().getFirst().session();
        came(fetch("/ok/a"));
        came(fetch("/no"));
        var log = Files.readString(folders.auditLog());

        var all = came(events().put("session", session));
        assertThat(all.out().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(log).contains(line + "\n"));
        assertThat(all.end().orElseThrow().write())
                .isEqualTo(
                        "{\"code\":0,\"told\":[],\"lines\":" + all.out().lines().count() + ",\"damaged\":0}");
        var denied = came(events().put("decision", "deny").put("limit", 1));
        assertThat(denied.out().lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\"path\":\"/no\""));
        var times = all.out().lines().map(ResidentQuestionsTest::seq).toList();
        assertThat(times).isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(came(events().put("since", "2999-01-01T00:00:00Z")).out()).isEmpty();
    }

    private static JsonObject.Builder events() {
        return Json.object().put("ask", "events");
    }

    private static long seq(String line) {
        return Long.parseLong(line.replaceFirst("\\{\"seq\":([0-9]+),.*", "$1"));
    }

    @Test
    void a_filter_that_is_not_understood_is_never_none() throws IOException {
        assertThat(refused(events().put("limit", 10_001))).isEqualTo("limit: (expected: 1 to 10000)");
        assertThat(refused(events().put("limit", "all"))).startsWith("limit: ");
        assertThat(refused(events().put("session", 5))).startsWith("session: ");
        assertThat(refused(events().put("since", "yesterday"))).startsWith("since: ");
    }

    @Test
    void a_decision_is_told_with_its_outcome_and_an_unknown_one_is_nothing() throws IOException {
        var session = client.state().cages().getFirst().session();
        came(fetch("/no"));
        var id = came(fetch("/no")).refusal().member("denial").orElseThrow() instanceof JsonObject denial
                ? denial.text("id").orElseThrow()
                : "";
        var decision = Json.object().put("ask", "decision").put("id", id);

        assertThat(came(decision).out().lines())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("\"id\":\"" + id + "\"", "\"decision\":\"deny\"", "would_allow"));
        var none = came(Json.object().put("ask", "decision").put("id", session + "-999999"));
        assertThat(none.out()).isEmpty();
        assertThat(none.end().orElseThrow().write()).contains("\"lines\":0");
        assertThat(refused(Json.object().put("ask", "decision").put("id", "../x")))
                .contains("expected");
    }
}
