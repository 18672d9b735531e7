package dev.cagewright.supervisor.observed;

import static dev.cagewright.supervisor.observed.PlayedSession.exec;
import static dev.cagewright.supervisor.observed.PlayedSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.SessionId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run under a policy that is being learned comes to, from a real log.
class LessonTest {
    private static final String POLICY = """
            tool: t
            net:
              hosts:
                - {host: api.test, methods: [GET], paths: ["/v1/**"]}   # kept
            exec: {allowlist: [python3]}
            """;

    private static final List<Action> DONE = List.of(
            exec("python3", "a.py"),
            request("GET", "api.test", "/v1/x"),
            request("POST", "api.test", "/v1/x"),
            request("GET", "other.test", "/a"),
            request("GET", "other.test", "/b"),
            request("PUT", "other.test", "/b"),
            new Action.NetConnect(new HostName("db.test"), 5432),
            exec("make", "all"),
            request("GET", "169.254.169.254", "/latest"),
            request("GET", "10.0.0.1", "/private"));

    @TempDir
    private Path folder;

    private PlayedSession session;

    @BeforeEach
    void open() {
        session = new PlayedSession(folder);
    }

    private Lesson learned(String policy) throws IOException, PolicySyntaxException, BadPolicyException {
        return Lesson.of(session.decisions(session.learning(policy), DONE), session.policy(policy));
    }

    @Test
    void what_a_policy_lacks_is_one_patch_of_its_file_that_keeps_every_other_line()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var lesson = learned(POLICY);

        assertThat(lesson.patch()).startsWith("--- ").contains("""
                     - {host: api.test, methods: [GET], paths: ["/v1/**"]}   # kept
                -exec: {allowlist: [python3]}
                +    - {host: api.test, methods: [POST], paths: [/v1/x]}
                +    - {host: other.test, methods: [GET], paths: [/a]}
                +    - {host: other.test, methods: [GET, PUT], paths: [/b]}
                +    - {host: db.test, ports: [5432], protocol: tcp}
                +exec: {allowlist: [python3, make]}
                """);
        assertThat(lesson.lacking()).isEqualTo(8);
        assertThat(lesson.still()).as("the two addresses").isEqualTo(2);
        assertThat(lesson.unplaced()).isEmpty();
        assertThat(lesson.suggestion().never())
                .extracting(Suggestion.Never::what)
                .containsExactly(
                        "http.request GET 169.254.169.254:443/latest", "http.request GET 10.0.0.1:443/private");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tool: t\nnet:\n  mode: none # closed\n",
                "tool: t\nnet: {mode: none}\n",
                "{\"net\": {\"mode\": \"none\"}}",
                "tool: t\n"
            })
    void a_network_that_is_closed_opens_for_what_was_asked_only(String policy)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var lesson = learned(policy);

        assertThat(lesson.unplaced()).isEmpty();
        assertThat(lesson.still()).isEqualTo(2);
        assertThat(lesson.patch()).contains("db.test");
    }

    @Test
    void with_the_patch_exactly_what_was_done_is_allowed()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var items = learned(POLICY).suggestion().lines().stream()
                .filter(line -> line.item().contains("host"))
                .map(line -> line.item() + "\n")
                .toList();
        var after = session.policy(POLICY.replace("# kept\n", "\n" + String.join("", items)));

        var asked = DONE.stream().filter(Action.HttpRequest.class::isInstance).toList();
        for (var host : List.of("api.test", "other.test")) {
            for (var method : List.of("GET", "POST", "PUT")) {
                for (var path : List.of("/a", "/b", "/v1/x", "/c")) {
                    var action = request(method, host, path);
                    boolean isListed = host.equals("api.test") && method.equals("GET") && path.startsWith("/v1/");
                    assertThat(after.effective().judge(action) instanceof Decision.Allow)
                            .as(action.toString())
                            .isEqualTo(asked.contains(action) || isListed);
                }
            }
        }
    }

    private static Action call(String tool) {
        return new Action.McpCall("files", tool);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tool: t\nmcp:\n  tools:\n    - {tool: rm, deny: true}\n",
                "tool: t\nmcp: {tools: [{tool: rm, deny: true}]}\n",
                "{\"mcp\": {\"tools\": [{\"tool\": \"rm\", \"deny\": true}]}}"
            })
    void tools_that_were_called_become_entries_of_that_server_alone(String policy)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var done = List.of(call("read"), call("rm"), call("read"), call("any*"));
        var lesson = Lesson.of(session.decisions(session.learning(policy), done), session.policy(policy));

        assertThat(lesson.suggestion().lines())
                .extracting(line -> line.item() + " x" + line.because().count())
                .containsExactly("    - {tool: read, server: files} x2");
        assertThat(lesson.suggestion().never())
                .extracting(Suggestion.Never::what)
                .containsExactlyInAnyOrder("mcp.call files rm", "mcp.call files 'any*'");
        assertThat(lesson.lacking()).isEqualTo(4);
        assertThat(lesson.still()).isEqualTo(2);
        assertThat(lesson.unplaced()).isEmpty();
        assertThat(lesson.patch()).contains("read", "files");
    }

    @Test
    void the_first_tool_makes_its_section() throws IOException, PolicySyntaxException, BadPolicyException {
        var policy = "tool: t\n";
        var lesson =
                Lesson.of(session.decisions(session.learning(policy), List.of(call("read"))), session.policy(policy));

        assertThat(lesson.patch()).contains("+mcp: {tools: [{tool: read, server: files}]}\n");
        assertThat(lesson.still()).isZero();
        assertThat(ProposedPolicy.text(
                        new CageName("t"),
                        new SessionId("abcdefghij"),
                        session.decisions(session.learning(policy), List.of(call("read")))))
                .endsWith("  hosts: []\nmcp:\n  tools:\n    - {tool: read, server: files}\n");
    }

    @Test
    void a_policy_that_lacks_nothing_has_no_patch() throws IOException, PolicySyntaxException, BadPolicyException {
        var done = List.of(exec("python3", "a.py"), request("GET", "api.test", "/v1/x"));
        var lesson = Lesson.of(session.decisions(session.learning(POLICY), done), session.policy(POLICY));

        assertThat(lesson.lacking()).isZero();
        assertThat(lesson.patch()).isEmpty();
        assertThat(lesson.toJson().write()).contains("\"lacking\":0", "\"patch\":\"\"");
    }

    @Test
    void learning_opens_no_secret_no_file_and_no_program()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var learning = session.learning(POLICY).effective();

        assertThat(learning.judge(request("GET", "other.test", "/a"))).isInstanceOf(Decision.Allow.class);
        assertThat(learning.judge(exec("make"))).isInstanceOf(Decision.Deny.class);
        assertThat(learning.judge(new Action.SecretUse("key", new HostName("other.test"))))
                .isInstanceOf(Decision.Deny.class);
        assertThat(learning.judge(request("GET", "169.254.169.254", "/latest"))).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void many_paths_of_one_folder_become_the_folder_and_few_stay_what_they_are() {
        var paths = new TreeSet<String>();
        IntStream.range(0, 12).forEach(i -> paths.add("/v1/item" + i));
        assertThat(PathGroups.of(paths)).hasSize(12).contains("/v1/item3");

        paths.addAll(List.of("/v1/", "/v2/a", "/v2/b", "/x", "/y", "/z", "/s*t/1", "/s*t/2", "/s*t/3"));
        assertThat(PathGroups.of(paths))
                .containsExactly("/x", "/y", "/z", "/s%2At/*", "/v1/*", "/v1/", "/v2/a", "/v2/b");
    }

    @Test
    void hosts_beyond_the_most_are_counted_and_not_listed()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var many = IntStream.range(0, RequestLines.MOST_PLACES + 3)
                .mapToObj(i -> request("GET", "h" + i + ".test", "/"))
                .toList();
        var suggestion = Suggestion.of(session.decisions(session.learning(POLICY), many));

        assertThat(suggestion.lines()).hasSize(RequestLines.MOST_PLACES);
        assertThat(suggestion.never()).extracting(Suggestion.Never::what).containsExactly("3 more hosts");
    }

    @Test
    void rules_methods_and_paths_that_nothing_needed_are_named()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var policy = session.policy("""
                tool: t
                net:
                  hosts:
                    - {host: api.test, methods: [GET, POST], paths: ["/v1/**", "/v2"]}
                    - {host: idle.test}
                    - {host: used.test}
                credentials:
                  - {name: key, use_with: [used.test]}
                  - {name: idle, use_with: [used.test]}
                approval:
                  require_for:
                    - http.request: {hosts: [used.test]}
                    - http.request: {hosts: [idle.test]}
                mcp:
                  tools: [read_file, {tool: "put_*", server: files}, {tool: drop, deny: true}, {tool: ask, approve: true}]
                """);
        var done = Stream.of(
                        request("GET", "api.test", "/v1/x"),
                        new Action.SecretUse("key", new HostName("used.test")),
                        request("GET", "denied.test", "/"),
                        new Action.McpCall("files", "read_file"),
                        new Action.McpCall("other", "put_one"))
                .toList();
        var decisions = session.decisions(policy, done);
        var agreed = new PastDecision(
                decisions.getFirst().id(),
                request("GET", "used.test", "/"),
                "allow",
                List.of("approval.require_for[0]"),
                "",
                List.of());
        var unused =
                Unused.of(Stream.concat(decisions.stream(), Stream.of(agreed)).toList(), policy);

        assertThat(unused.looked()).isEqualTo(4);
        assertThat(unused.rules())
                .extracting(rule -> rule.place().replaceFirst(" .*/", " ") + " " + rule.what())
                .allSatisfy(rule -> assertThat(rule).contains(".yaml:"))
                .extracting(rule -> rule.replaceFirst(" [^ ]*.yaml:", " ").replaceFirst("\\)", ""))
                .containsExactly(
                        "net.hosts[0] 4:7 methods: POST",
                        "net.hosts[0] 4:7 paths: /v2",
                        "net.hosts[1] 5:7 - {host: idle.test}",
                        "credentials[1] 9:5 the secret idle",
                        "mcp.tools[1] 15:22 the tool put_* of files",
                        "mcp.tools[3] 15:80 the tool ask",
                        "approval.require_for[1] 13:7 the question about http.request");
        assertThat(unused.toJson().write()).contains("\"looked\":4", "\"unused\":\"methods: POST\"");
    }
}
