package dev.cagewright.mcp.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallJudgeTest {
    private static final String POLICY = """
            fs:
              mounts:
                - {path: /workspace, mode: rw, source: session-copy}
                - {path: /data, mode: ro, source: /usr}
              hide: ["**/.env"]
            net:
              hosts:
                - {host: api.example.test, methods: [GET], paths: ["/v1/**"]}
            mcp:
              tools:
                - "get_*"
                - tool: read_file
                  paths: {path: read, "/edits/*/file": write}
                - tool: write_file
                  paths: {path: both}
                - tool: fetch
                  hosts: [url, urls]
                - tool: search
                  arguments:
                    type: object
                    required: [query]
                    additionalProperties: false
                    properties:
                      query: {type: string, maxLength: 10, pattern: "^[a-z ]+$"}
                - {tool: send, approve: true}
                - {tool: get_secret, deny: true}
            """;

    @TempDir
    private Path folder;

    private JudgedSession session() throws Exception {
        return JudgedSession.under(folder, POLICY);
    }

    private static CallRefusedException refusal(JudgedSession session, String tool, String arguments) {
        return catchThrowableOfType(CallRefusedException.class, () -> session.pass(tool, arguments));
    }

    @Test
    void a_tool_that_the_policy_names_passes_and_its_end_is_on_record() throws Exception {
        try (var session = session()) {
            var passed = session.pass("get_time", "{}");
            var result = passed.settle(JudgedSession.json("{'content':[{'type':'text','text':'noon'}]}"));

            assertThat(result.write())
                    .isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"noon\"}],\"_meta\":{\"" + Decided.META
                            + "\":{\"id\":\"abcdefghij-1\",\"decision\":\"allow\"}}}");
            assertThat(session.events().stream().map(Event::actionName)).containsExactly("mcp.call", "mcp.call");
            assertThat(session.events().getLast().detail().text("state")).contains("done");
        }
    }

    @Test
    void a_tool_that_it_does_not_name_is_refused_in_words_that_a_model_can_act_on() throws Exception {
        try (var session = session()) {
            var refused = refusal(session, "delete_all", "{}");

            assertThat(text(refused.result())).isEqualTo("""
                    cagewright denied this: mcp.call files delete_all
                    why: no entry of mcp.tools names the tool
                    rule: default:deny
                    at: default:deny (built in)
                    what would allow it (only the person who owns the policy can do that):
                      mcp:
                        tools:
                          - {tool: delete_all, server: files}
                    more: cagewright why abcdefghij-1""");
            assertThat(refused.result().write())
                    .contains("\"isError\":true", "\"code\":\"NO_RULE\"", "\"fix\":[\"mcp:\",");
            assertThat(session.events().getFirst().detail().text("code")).contains("NO_RULE");
        }
    }

    private static String text(JsonObject result) {
        var content = (JsonArray) result.member("content").orElseThrow();
        return ((JsonObject) content.items().getFirst()).text("text").orElseThrow();
    }

    @Test
    void an_entry_that_denies_goes_before_the_pattern_and_nobody_there_is_no() throws Exception {
        try (var session = session()) {
            assertThat(refusal(session, "get_secret", "{}").report().rules()).containsExactly("mcp.tools[6]");
            assertThat(refusal(session, "send", "{'to':'x'}").report().why())
                    .isEqualTo("needs approval, and nobody agreed");
        }
    }

    @Test
    void arguments_that_do_not_fit_are_refused_with_the_place_in_both() throws Exception {
        try (var session = session()) {
            session.pass("search", "{'query':'two words'}").ended("cancelled");
            var long_ = refusal(session, "search", "{'query':'far too long'}").report();

            assertThat(long_.why()).isEqualTo("the arguments do not fit: /query: is longer than 10 characters");
            assertThat(long_.rules()).containsExactly("mcp.tools[4].arguments");
            assertThat(long_.where().orElse("")).matches("mcp\\.tools\\[4]\\.arguments \\(.*policy\\.yaml:18:7\\)");
            assertThat(long_.wouldAllow())
                    .containsExactly("# other arguments, or a wider condition in mcp.tools[4].arguments");
            assertThat(refusal(session, "search", "{'query':'a','Query':'b'}")
                            .report()
                            .why())
                    .isEqualTo("the arguments do not fit: /Query: has no place here");
            assertThat(refusal(session, "search", "{}").report().why())
                    .isEqualTo("the arguments do not fit: has no \"query\"");
        }
    }

    @Test
    void a_servers_own_schema_is_looked_at_besides_and_never_instead() throws Exception {
        var own = Optional.of(JudgedSession.json("{'type':'object','properties':{'zone':{'type':'string'}},"
                + "'$ref':'http://127.0.0.1:1/schema.json'}"));
        try (var session = session()) {
            session.judge()
                    .pass("files", "get_time", JudgedSession.json("{'zone':'UTC'}"), own)
                    .ended("cancelled");

            assertThatThrownBy(() -> session.judge().pass("files", "get_time", JudgedSession.json("{'zone':1}"), own))
                    .isInstanceOf(CallRefusedException.class)
                    .hasMessage("the arguments do not fit what the server itself asks for: /zone: is no string");
            assertThatThrownBy(() -> session.judge()
                            .pass("files", "search", JudgedSession.json("{}"), Optional.of(JsonObject.EMPTY)))
                    .hasMessage("the arguments do not fit: has no \"query\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/a.c",
                "./src/../a.c",
                "/workspace/a",
                "/workspace//b",
                "/data/x",
                "file:///workspace/a",
                "src/**/*.java",
                "a%20b",
                "日本.txt",
                "..."
            })
    void a_path_inside_the_mounts_passes(String path) throws Exception {
        try (var session = session()) {
            session.pass("read_file", "{'path':'" + path + "'}").ended("cancelled");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/shadow",
                "../etc/shadow",
                "/workspace/../etc/shadow",
                "/workspace2/a",
                "file:///etc/shadow",
                "file://localhost/etc/shadow",
                "%2e%2e/etc/shadow",
                "/workspace/%2E%2E/etc/shadow",
                "..%2fetc%2fshadow",
                "~/.ssh/id_rsa",
                "/etc/*",
                "**/../../etc/shadow",
                "{a,../../etc}/x",
                "/workspace/.env",
                "https://elsewhere.test/x",
                "~root/.ssh",
                "file://elsewhere/etc",
                "a\\u0000b",
                "a\\u200bb",
                ""
            })
    void a_path_outside_of_them_is_refused_however_it_is_written(String path) throws Exception {
        try (var session = session()) {
            assertThat(refusal(session, "read_file", "{'path':'" + path + "'}"))
                    .as(path)
                    .isNotNull();
            assertThat(session.events().stream()
                            .filter(event -> event.detail().text("state").isPresent()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-rf", "--upload-pack=id", "--output=/work/x", "-", "--"})
    void B229_a_value_that_begins_with_a_dash_is_no_path(String path) throws Exception {
        try (var session = session()) {
            var refused =
                    refusal(session, "read_file", "{'path':'" + path + "'}").report();

            assertThat(refused.why())
                    .isEqualTo(
                            "the argument /path begins with -, which programs take for an option; write ./ before it");
            assertThat(refused.rules()).containsExactly("mcp.tools[1]");
            session.pass("read_file", "{'path':'./" + path + "'}").ended("cancelled");
        }
    }

    @Test
    void a_path_is_refused_as_what_it_is_with_the_line_that_would_allow_it() throws Exception {
        try (var session = session()) {
            var refused = refusal(session, "read_file", "{'path':['a','/etc/passwd']}")
                    .report();

            assertThat(refused.what()).isEqualTo("fs.read /etc/passwd");
            assertThat(refused.wouldAllow())
                    .containsExactly("fs:", "  mounts:", "    - {path: /etc/passwd, mode: ro, source: SOURCE}");
            assertThat(session.events().getLast().detail().text("argument")).contains("/path/1");
            assertThat(refusal(session, "read_file", "{'path':'a','edits':[{'file':'b'},{'file':'/data/c'}]}")
                            .report()
                            .what())
                    .isEqualTo("fs.write /data/c");
            assertThat(refusal(session, "write_file", "{'path':'/data/c'}")
                            .report()
                            .what())
                    .isEqualTo("fs.write /data/c");
            assertThat(refusal(session, "read_file", "{'path':{'a':1}}")
                            .report()
                            .why())
                    .isEqualTo("the argument /path is no text, and has to be one to be judged");
        }
    }

    @Test
    void a_workspace_at_its_own_path_is_the_one_of_the_policy() throws Exception {
        var ground = JudgeGround.of(new GuestPath("/home/me/project"));
        try (var session = JudgedSession.under(folder, POLICY, ground)) {
            session.pass("read_file", "{'path':'a'}").ended("cancelled");
            session.pass("read_file", "{'path':'/home/me/project/a'}").ended("cancelled");
            assertThat(refusal(session, "read_file", "{'path':'.env'}").report().what())
                    .isEqualTo("fs.read /workspace/.env");
            assertThat(refusal(session, "read_file", "{'path':'/home/me/project2/a'}"))
                    .isNotNull();
            assertThat(refusal(session, "read_file", "{'path':'../other'}")).isNotNull();
        }
    }

    @Test
    void urls_and_hosts_are_judged_as_requests() throws Exception {
        try (var session = session()) {
            session.pass("fetch", "{'url':'https://api.example.test/v1/x'}").ended("cancelled");
            for (String bad : List.of(
                    "https://evil.test/",
                    "https://api.example.test/v2/x",
                    "https://api.example.test@evil.test/v1/x",
                    "https://api.example.test:8443/v1/x",
                    "https://api.example.test\\\\@evil.test/v1/",
                    "http://169.254.169.254/latest/meta-data",
                    "//evil.test/v1/x",
                    "evil.test",
                    "api.example.test/v1",
                    "ssh://evil.test/x",
                    "javascript://evil.test/",
                    "-oProxyCommand=id",
                    "https://\u0430pi.example.test/v1/x",
                    "")) {
                assertThat(refusal(session, "fetch", "{'url':'" + bad + "'}"))
                        .as(bad)
                        .isNotNull();
                assertThat(refusal(session, "fetch", "{'urls':['https://api.example.test/v1/x','" + bad + "']}"))
                        .as(bad)
                        .isNotNull();
            }
        }
    }

    @Test
    void names_that_cannot_be_seen_and_arguments_that_are_too_large_are_refused() throws Exception {
        try (var session = session()) {
            assertThat(refusal(session, "get_\u200btime", "{}").report().rules())
                    .containsExactly("mcp:name");
            assertThat(refusal(session, "", "{}").report().rules()).containsExactly("mcp:name");
            assertThat(refusal(session, "get_x", "{'a':'" + "x".repeat(CallJudge.MOST_ARGUMENTS) + "'}")
                            .report()
                            .rules())
                    .containsExactly("mcp:arguments");
        }
    }

    @Test
    void without_a_word_about_mcp_nothing_is_called() throws Exception {
        try (var session = JudgedSession.under(folder, "fs: {mounts: [{path: /workspace}]}\n")) {
            assertThat(refusal(session, "get_time", "{}").report().why())
                    .isEqualTo("no policy file says anything about it");
        }
    }

    @Test
    void what_has_been_settled_is_not_recorded_again() throws Exception {
        try (var session = session()) {
            var passed = session.pass("get_time", "{}");
            passed.ended("cancelled");
            passed.settle(JsonObject.EMPTY);

            assertThat(session.events()).hasSize(2);
            assertThat(session.events().getLast().detail().text("state")).contains("cancelled");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'q':'correct-horse-battery-staple'}",
                "{'q':['x',{'y':'it is correct-horse-battery-staple!'}]}",
                "{'correct-horse-battery-staple':1}",
                "{'q':'Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ=='}",
            })
    void a_secret_of_the_cage_does_not_go_into_it_by_arguments_and_its_decoy_does(String arguments) throws Exception {
        var decoy = "decoy-decoy-decoy-decoy-decoy";
        var value = SecretValue.copyOf("correct-horse-battery-staple".getBytes(StandardCharsets.UTF_8));
        try (var held = new HeldSecret("db_password", decoy.getBytes(StandardCharsets.US_ASCII), value);
                var redaction = Redaction.of(List.of(held));
                var session = JudgedSession.under(
                        folder, POLICY, new JudgeGround(JudgedSession.HERE, Optional.of(redaction), List.of(decoy)))) {
            var refused = refusal(session, "get_time", arguments).report();

            assertThat(refused.rules()).containsExactly("mcp:secret");
            assertThat(refused.why())
                    .contains("none goes into a cage: db_password")
                    .doesNotContain("correct-horse");
            session.pass("get_time", "{'q':'" + decoy + "'}").ended("cancelled");
            assertThat(session.events().toString()).doesNotContain("correct-horse");
        }
    }
}
