package dev.cagewright.supervisor.observed;

import static dev.cagewright.supervisor.observed.PlayedSession.exec;
import static dev.cagewright.supervisor.observed.PlayedSession.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.PolicyInForce;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a session did and was denied, read from a real log: suggested, and judged anew.
class PastDecisionTest {
    private static final String BEFORE = """
            tool: t
            net: {mode: allowlist, hosts: [{host: api.test, methods: [GET], paths: ["/v1/**"]}]}
            exec: {allowlist: [python3]}
            """;

    private static final List<Action> DONE = List.of(
            exec("python3", "a.py"),
            request("GET", "api.test", "/v1/x"),
            request("POST", "api.test", "/v1/x"),
            request("POST", "api.test", "/v1/x"),
            request("GET", "other.test", "/a"),
            exec("make", "all"),
            exec("sh", "-c", "true"),
            request("GET", "169.254.169.254", "/latest"));

    @TempDir
    private Path folder;

    private PolicyInForce policy(String text) throws IOException, PolicySyntaxException, BadPolicyException {
        return new PlayedSession(folder).policy(text);
    }

    /// The log of a session that did all of [#DONE] under [#BEFORE].
    private List<PastDecision> played() throws IOException, PolicySyntaxException, BadPolicyException {
        return new PlayedSession(folder).decisions(policy(BEFORE), DONE);
    }

    @Test
    void what_was_decided_is_read_back_in_its_order() throws IOException, PolicySyntaxException, BadPolicyException {
        var past = played();

        assertThat(past).extracting(PastDecision::action).containsExactlyElementsOf(DONE);
        assertThat(past)
                .extracting(PastDecision::word)
                .containsExactly("allow", "allow", "deny", "deny", "deny", "deny", "deny", "deny");
    }

    @Test
    void each_denial_is_suggested_once_with_what_it_comes_from()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var suggestion = Suggestion.of(played());

        assertThat(suggestion.lines())
                .extracting(line -> line.item().strip() + " x" + line.because().count())
                .containsExactlyInAnyOrder(
                        "- {host: api.test, methods: [POST], paths: [/v1/x]} x2",
                        "- {host: other.test, methods: [GET], paths: [/a]} x1",
                        "- make x1");
        assertThat(suggestion.never())
                .extracting(Suggestion.Never::what)
                .containsExactly("proc.exec sh -c true", "http.request GET 169.254.169.254:443/latest");
        assertThat(suggestion.text())
                .contains(
                        "net:\n  hosts:\n    - {",
                        "   # abcdefghij-3, abcdefghij-4\n",
                        "# no line allows: proc.exec sh");
        assertThat(suggestion.toJson().write()).contains("\"count\":2", "\"never\":[");
    }

    @Test
    void what_is_suggested_turns_those_denials_around_and_nothing_else()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var past = played();
        var after = policy(BEFORE.replace(
                        "paths: [\"/v1/**\"]}]}",
                        "paths: [\"/v1/**\"]}, {host: api.test, methods: [POST], paths: [/v1/x]},"
                                + " {host: other.test, methods: [GET], paths: [/a]}]}")
                .replace("[python3]", "[python3, make]"));

        var replay = Replay.of(past, after.effective());

        assertThat(replay.looked()).isEqualTo(DONE.size());
        assertThat(replay.flips())
                .extracting(flip ->
                        flip.before().word() + " " + flip.after().word() + " " + flip.count() + " " + flip.what())
                .containsExactly(
                        "deny allow 2 http.request POST api.test:443/v1/x",
                        "deny allow 1 http.request GET other.test:443/a",
                        "deny allow 1 proc.exec make all");
        assertThat(Replay.of(past, policy(BEFORE).effective()).flips()).isEmpty();
        assertThat(Replay.of(past, policy("tool: t\n").effective()).flips())
                .as("no network any more, and no list of programs")
                .extracting(flip -> flip.before().word() + " " + flip.after().word() + " " + flip.what())
                .containsExactly("allow deny http.request GET api.test:443/v1/x", "deny allow proc.exec make all");
    }

    @Test
    void calls_of_tools_are_suggested_and_judged_anew() throws IOException, PolicySyntaxException, BadPolicyException {
        var before = "tool: t\nmcp: {tools: [{tool: send, server: mail}]}\n";
        var past = new PlayedSession(folder)
                .decisions(
                        policy(before),
                        List.of(new Action.McpCall("mail", "send"), new Action.McpCall("files", "read")));

        assertThat(Suggestion.of(past).text())
                .isEqualTo("mcp:\n  tools:\n    - {tool: read, server: files}   # abcdefghij-2\n");
        var after = policy("tool: t\nmcp: {tools: [{tool: read, server: files}]}\n");
        assertThat(Replay.of(past, after.effective()).flips())
                .extracting(flip -> flip.before().word() + " " + flip.after().word() + " " + flip.what())
                .containsExactly("allow deny mcp.call mail send", "deny allow mcp.call files read");
        assertThat(Replay.of(past, policy(before).effective()).flips()).isEmpty();
    }

    private static PastDecision refused(String rule, String why) {
        return new PastDecision(
                new DecisionId("abcdefghij-1"),
                new Action.McpCall("files", "read"),
                "deny",
                List.of(rule),
                why,
                List.of());
    }

    @Test
    void a_call_whose_arguments_were_refused_comes_out_otherwise_only_by_its_names()
            throws IOException, PolicySyntaxException, BadPolicyException {
        var ofArguments = List.of(
                refused("mcp.tools[0].arguments", "the arguments do not fit: /a: has no place here"),
                refused("mcp:input-schema", "the arguments do not fit what the server itself asks for: /a"),
                refused("mcp.tools[0]", "the argument /path begins with -"));
        var ofNames = refused("mcp.tools[0]", "mcp.tools[0] denies calls of the tool");
        var allowing = policy("tool: t\nmcp: {tools: [read]}\n").effective();

        assertThat(Replay.of(ofArguments, allowing).flips()).isEmpty();
        assertThat(Replay.of(List.of(ofNames), allowing).flips()).hasSize(1);
    }

    @Test
    void a_question_of_the_rule_that_asked_then_turns_nothing_around() {
        var rule = new RuleId("approval.require_for[0]");
        var asking = new Decision.Ask(List.of(rule), Duration.ofMinutes(1));
        var agreed = new PastDecision(
                new DecisionId("abcdefghij-1"), exec("make"), "allow", List.of(rule.value()), "", List.of());
        var free = new PastDecision(
                new DecisionId("abcdefghij-2"), exec("make"), "allow", List.of("exec.allowlist"), "", List.of());

        assertThat(Replay.of(List.of(agreed), _ -> asking).flips()).isEmpty();
        assertThat(Replay.of(List.of(agreed, free), _ -> asking).flips())
                .extracting(Replay.Flip::id)
                .containsExactly(free.id());
    }

    @Test
    void every_kind_of_action_is_read_as_it_was_written() {
        var word = ByteString.copyOf(new byte[] {'a', (byte) 0xff});
        var actions = List.of(
                new Action.ProcExec(List.of(ByteString.of("a"), word), new GuestPath("/w")),
                new Action.FsRead(new GuestPath("/w/x")),
                new Action.FsWrite(new GuestPath("/w/x")),
                request("GET", "a.test", "/x"),
                new Action.NetConnect(new HostName("a.test"), 5432),
                new Action.DnsLookup(new HostName("a.test")),
                new Action.SecretUse("key", new HostName("a.test")));

        assertThat(actions)
                .allSatisfy(action ->
                        assertThat(ActionJson.read(ActionJson.of(action))).contains(action));
        assertThat(ActionJson.read(JsonObject.EMPTY)).isEmpty();
        assertThat(ActionJson.read(Json.object().put("name", "fs.read").build()))
                .isEmpty();
        assertThat(ActionJson.read(Json.object()
                        .put("name", "net.connect")
                        .put("host", "a.test")
                        .put("port", 70_000)
                        .build()))
                .isEmpty();
    }
}
